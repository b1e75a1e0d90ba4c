import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import type { Market } from '../../domain/calendar/market.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import {
  mergeUniverse,
  type MergedUniverse,
  type OfferedInstrument,
  type OfferedTerms,
  type OfferedUniverse,
  type UniverseTexts,
} from './merge-universe.ts';

const byma = sketchMarkets.get('BYMA') as Market;

function share(cells: Partial<OfferedInstrument> & { readonly ticker: string }) {
  return { name: cells.ticker, kind: 'share', market: 'BYMA', currency: 'ARS', ...cells };
}

function offer(parts: Partial<OfferedUniverse>): OfferedUniverse {
  return { instruments: [], markets: [byma], panels: new Map(), terms: [], ...parts };
}

function merge(local: UniverseTexts, offered: Partial<OfferedUniverse>): MergedUniverse {
  const result = mergeUniverse(local, offer(offered));
  return result.ok ? result.merged : assert.fail(JSON.stringify(result.faults));
}

const head = 'ticker,name,kind,market,currency,decimals,change_unit,panels,maturity,base,class\n';
const whole = merge({}, { instruments: [share({ ticker: 'FIRST' })] }).texts;
const localWith = (rows: string): UniverseTexts => ({ ...whole, instruments: head + rows });

test('of files that are missing, all but bonds.csv are written; with terms, it is written too', () => {
  assert.deepEqual(Object.keys(whole).toSorted(), ['derived', 'instruments', 'markets', 'panels']);
  assert.deepEqual(merge(whole, { instruments: [share({ ticker: 'FIRST' })] }).texts, {});
});

test('a ticker that exists here in another spelling, kind, market or currency is left alone and named', () => {
  const local = localWith('Aa,x,bond,BYMA,ARS,,,\nB,x,share,BYMA,ARS,,,\n');
  const { leftAlone, texts } = merge(local, {
    instruments: [share({ ticker: 'AA' }), share({ ticker: 'B', currency: 'USD', name: 'y' })],
  });
  assert.deepEqual(leftAlone, [
    'AA: kind bond here, share there',
    'B: currency ARS here, USD there',
  ]);
  assert.deepEqual(texts, {});
});

test('a market that is in another time zone here gets no instruments; other sessions are only named', () => {
  const moved = { ...byma, timeZone: 'America/New_York' };
  const refused = merge(whole, { instruments: [share({ ticker: 'A' })], markets: [moved] });
  assert.deepEqual(refused.leftAlone, [
    'market BYMA: time zone America/Argentina/Buenos_Aires here, America/New_York there',
    'A: not added, because its market BYMA is another one here',
  ]);
  assert.deepEqual(refused.texts, {});
  const longer = {
    ...byma,
    weekdays: new Set([1]),
    hours: [{ openMinute: 0, closeMinute: 1 }],
    holidays: new Map(),
    unsettled: new Set<PlainDate>(),
    earlyCloses: new Map(),
  };
  const added = merge(whole, { instruments: [share({ ticker: 'A' })], markets: [longer] });
  assert.deepEqual([added.instruments, added.markets], [['A'], []]);
  assert.match(
    added.leftAlone.join(),
    /^market BYMA: other weekdays, hours, holidays, settlement days, early closes there$/,
  );
});

test('panels of rows are named in the row; a panel that lists its members is named for the operator', () => {
  const panels = (whole.panels ?? '').replace(
    'GEN: { name: Panel general }',
    'GEN: { name: x, members: [FIRST] }',
  );
  const { texts, leftAlone } = merge(
    { ...whole, panels },
    {
      instruments: [share({ ticker: 'A' }), share({ ticker: 'B' })],
      panels: new Map([
        ['GEN', ['B', 'FIRST']],
        ['LID', ['A']],
        ['LIDGEN', ['A', 'B']],
        ['IND', ['A', 'FIRST']],
      ]),
    },
  );
  assert.match(texts.instruments ?? '', /\nA,A,share,BYMA,ARS,,,LID;IND\nB,B,share,BYMA,ARS,,,\n$/);
  assert.deepEqual(leftAlone, ['panel GEN: panels.yaml lists its members, without B']);
});

const classD = (ticker: string, base: string) =>
  share({ ticker, kind: 'bond', currency: 'USD', base, class: 'mep' });

test('a class in dollars names its base as it is spelled here, and has none if that is another instrument', () => {
  const local = localWith('al30,x,bond,BYMA,ARS,,,\nGD30,x,share,BYMA,ARS,,,\n');
  const { texts, leftAlone } = merge(local, {
    instruments: [classD('AL30D', 'AL30'), classD('GD30D', 'GD30')],
  });
  assert.match(texts.instruments ?? '', /\nAL30D,.*,al30,mep\nGD30D,GD30D,bond,BYMA,USD,,,\n$/);
  assert.deepEqual(leftAlone, [
    'GD30D: added without its base GD30, which is another instrument here',
  ]);
});

const terms = (especie: string, ...others: readonly string[]): OfferedTerms => ({
  especie,
  series: others.join(' '),
  emision: '2024-01-01',
  vencimiento: '2030-07-09',
  moneda: 'USD',
});

const debt = (ticker: string) => share({ ticker, kind: 'bond' });

test('terms are added for bonds that have none here, with the classes that are the same here', () => {
  const local = localWith(
    'AL30,x,bond,BYMA,ARS,,,\nAL30D,x,share,BYMA,USD,,,\nGD30,x,bond,BYMA,ARS,,,,2031-01-01\nX,x,share,BYMA,ARS,,,\nOWN,x,bond,BYMA,ARS,,,\nOWND,x,bond,BYMA,USD,,,\n',
  );
  const bonds = 'especie,series,emision,vencimiento,moneda\nOWN,OWND,2020-01-01,2040-01-01,USD\n';
  const { texts, leftAlone } = merge(
    { ...local, bonds },
    {
      instruments: ['AL30', 'GD30', 'X', 'AL30C'].map(debt),
      terms: [terms('AL30', 'AL30D', 'AL30C'), terms('GD30'), terms('X'), terms('Z', 'ownd')],
    },
  );
  assert.equal(texts.bonds, `${bonds}AL30,AL30C,2024-01-01,2030-07-09,USD\n`);
  assert.deepEqual(leftAlone, [
    'X: kind share here, bond there',
    'GD30: no terms, because GD30 matures on 2031-01-01 here, on 2030-07-09 there',
    'X: no terms, because its ticker is another instrument here',
  ]);
});

test('faults of the files are returned, all together', () => {
  const result = mergeUniverse(
    { instruments: 'ticker\n', markets: 'markets: []\n', panels: 'LID: 1\n' },
    offer({}),
  );
  assert.ok(!result.ok);
  assert.deepEqual([...new Set(result.faults.map(({ file }) => file))].toSorted(), [
    'instruments.csv',
    'markets.yaml',
    'panels.yaml',
  ]);
});
