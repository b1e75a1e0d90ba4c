import assert from 'node:assert/strict';
import { test } from 'node:test';
import { al30, cerZero, lecap } from '../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { Market } from '../domain/calendar/market.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { Universe } from '../domain/instruments/universe.ts';
import { compareUniverses } from './compare-universes.ts';

const nothing = { added: [], removed: [], changed: [], panels: [], terms: [], markets: [] };

test('two loads of one universe have no differences', () => {
  const [first, second] = [1, 2].map(() =>
    makeUniverse([{ ticker: 'GGAL', panels: ['LID'] }, { ticker: 'AL30' }]),
  );
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual(compareUniverses(first, second), nothing);
});

test('issues whose terms were added, removed or changed are listed', () => {
  const instruments = ['AL30', 'S30N6', 'TZXD7'].map((ticker) => ({ ticker }));
  const from = makeUniverse(instruments, [al30, lecap]);
  const to = makeUniverse(instruments, [{ ...al30, isVerified: false }, cerZero]);
  assert.deepEqual(compareUniverses(from, to).terms, ['AL30', 'TZXD7', 'S30N6']);
  assert.deepEqual(compareUniverses(from, from).terms, []);
});

test('added, removed and changed instruments are listed by ticker', () => {
  const from = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }, { ticker: 'AL30' }]);
  const to = makeUniverse([
    { ticker: 'AL30', decimals: 2 },
    { ticker: 'GGAL' },
    { ticker: 'PAMP' },
  ]);
  assert.deepEqual(compareUniverses(from, to), {
    ...nothing,
    added: ['PAMP'],
    removed: ['YPFD'],
    changed: ['AL30'],
  });
});

test('reordering instruments changes the panels that contain them, and no instrument', () => {
  const [a, b] = [
    { ticker: 'GGAL', panels: ['LID'] },
    { ticker: 'YPFD', panels: ['LID'] },
  ] as const;
  const changes = compareUniverses(makeUniverse([a, b]), makeUniverse([b, a]));
  assert.deepEqual(changes, { ...nothing, panels: ['LID'] });
});

test('a market with other hours, a new one and a removed one are listed', () => {
  const { instruments, panels, derived, markets } = makeUniverse([{ ticker: 'GGAL' }]);
  const withMarkets = (changed: ReadonlyMap<string, Market>) =>
    new Universe({ instruments, panels, derived, bondTerms: [], markets: changed });
  const byma = markets.get('BYMA') ?? assert.fail('no market');
  const from = withMarkets(new Map([...markets, ['OLD', byma]]));
  const later = { ...byma, hours: [{ openMinute: 660, closeMinute: 1020 }] };
  const to = withMarkets(new Map([...markets, ['BYMA', later], ['NEW', byma]]));
  assert.deepEqual(compareUniverses(from, to), { ...nothing, markets: ['BYMA', 'OLD', 'NEW'] });
});

const withDerivation = (source: string) =>
  makeUniverse([
    { ticker: 'A' },
    { ticker: 'B' },
    { ticker: 'C', derivation: { type: 'alias', source: source as Ticker } },
  ]);

test('an instrument with another derivation has changed', () => {
  const plain = makeUniverse([{ ticker: 'A' }, { ticker: 'B' }, { ticker: 'C' }]);
  const changed = { ...nothing, changed: ['C'] };
  assert.deepEqual(compareUniverses(withDerivation('A'), withDerivation('B')), changed);
  assert.deepEqual(compareUniverses(withDerivation('A'), plain), changed);
  assert.deepEqual(compareUniverses(withDerivation('A'), withDerivation('A')), nothing);
});
