import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../test/support/market/close-on.ts';
import { at, update } from '../../test/support/market/drive-engine.ts';
import { JudgedMarket } from '../../test/support/market/judged-market.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { FactorAction } from '../domain/history/corporate-action.ts';
import { CorporateActions, noActions } from '../domain/history/corporate-actions.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { ReferenceCloses } from '../domain/history/reference-closes.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { ReportSource } from './doubted-updates.ts';

/** Contract 2.1.9: live prices that agree overrule a stored close that contradicts them all. */

const ggal = 'GGAL' as Ticker;
const wednesday = '2026-11-18';
const thursday = '2026-11-19';
const friday = '2026-11-20';
const noon = at(friday, '12:00');
const implausible = { refused: 'implausible' };
const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US' },
  { ticker: 'SAME', derivation: { type: 'alias', source: ggal } },
  {
    ticker: 'CCL',
    kind: 'exchange-rate',
    derivation: { type: 'ratio', numerator: ggal, denominator: 'GGAL_US' as Ticker },
  },
]);

const fast = (name: string): ReportSource => ({ name, delayMinutes: 0 });
const slow = (name: string): ReportSource => ({ name, delayMinutes: 0, isPolledSlowly: true });

/** Closes on the level of 1,000, as before a split that is not recorded. */
const highReferences: ReferenceCloses = {
  previous: closeOn(wednesday, 1_010),
  monthBase: closeOn('2026-10-30', 900),
  yearBase: closeOn('2025-12-30', 800),
};

/** A market with a close of 1,000 of Thursday. */
function withClose(references = highReferences): JudgedMarket {
  const market = new JudgedMarket(universe);
  market.adopt('GGAL', [thursday, 1_000], { references });
  return market;
}

function send(market: JudgedMarket, seconds: number, last: number, source = fast('one')): unknown {
  return market.sendOne(update('GGAL', noon + seconds * 1_000, { last }), source);
}

/** A market whose close of 1,000 prices of 100 have overruled. */
function overruled(references = highReferences): JudgedMarket {
  const market = withClose(references);
  send(market, 0, 100, fast('one'));
  send(market, 1, 101, fast('two'));
  return market;
}

/** Last price, previous close and the three variations. */
function shown(market: JudgedMarket, ticker = 'GGAL'): readonly unknown[] {
  const quote = market.quote(ticker);
  const { last, previousClose, change, monthToDatePct, yearToDatePct } = quote ?? {};
  return [last, previousClose, change?.value, monthToDatePct, yearToDatePct];
}

const withoutBase = (last: number) => [last, undefined, undefined, null, null];

function split(date: string, factor: number): CorporateActions {
  const exDay = toEpochDay(date as PlainDate);
  const action: FactorAction = { ticker: ggal, exDay, type: 'split', factor, source: 'x' };
  return new CorporateActions([action]);
}

/** The facts of the session of Friday as history has them. */
function adoptFriday(
  market: JudgedMarket,
  thursdays: { readonly close: number; readonly source?: string } | undefined,
  references: ReferenceCloses = {
    ...highReferences,
    previous: closeOn(thursday, thursdays?.close ?? 0),
  },
): void {
  const day = toEpochDay(thursday as PlainDate);
  const close = thursdays && { day, volume: null, ...thursdays };
  const latest = [thursday, thursdays?.close ?? 1_000] as const;
  market.adopt('GGAL', latest, { references, sessionDate: friday, setAside: { day, close } });
}

test('five different prices over two minutes set the close aside, and nothing less does', () => {
  const market = withClose();
  for (const [seconds, last] of [
    [0, 100],
    [30, 101],
    [60, 102],
    [90, 102],
    [110, 103],
    [119, 104],
  ] as const) {
    assert.deepEqual(send(market, seconds, last), implausible, String(seconds));
    assert.deepEqual(shown(market).slice(0, 2), [1_000, 1_010]);
  }
  assert.equal(send(market, 120, 104), 'accepted');
  assert.deepEqual(shown(market), withoutBase(104));
  const { open, high, low } = market.quote('GGAL') ?? {};
  assert.deepEqual([open, high, low], [100, 104, 100], 'the witnesses are of the session');
  assert.deepEqual(
    market.bars.map(({ bar }) => [bar.open, bar.high, bar.low, bar.last]),
    [
      [100, 101, 100, 101],
      [102, 104, 102, 104],
    ],
  );
  assert.equal(send(market, 121, 99), 'accepted', 'the close judges no price any more');
});

test('three reports in a row of a source that is polled slowly set the close aside, and nothing less does', () => {
  const market = withClose();
  assert.deepEqual(send(market, 0, 100, slow('one')), implausible);
  assert.deepEqual(send(market, 60, 100, slow('one')), implausible);
  assert.equal(send(market, 120, 100, slow('one')), 'accepted');
  assert.deepEqual(shown(market), withoutBase(100));
  assert.deepEqual(market.quote('GGAL')?.source, fast('one'));

  const interrupted = withClose();
  for (const [seconds, last] of [
    [0, 100],
    [60, 10],
    [120, 100],
    [180, 100],
  ] as const) {
    assert.deepEqual(send(interrupted, seconds, last, slow('one')), implausible);
  }
  assert.equal(send(interrupted, 240, 100, slow('one')), 'accepted');

  const quick = withClose();
  for (let poll = 0; poll < 20; poll += 1) {
    assert.deepEqual(send(quick, poll * 60, 100), implausible, 'the same price, polled often');
  }
});

test('the close that is set aside is reported once, with what decided', () => {
  const market = overruled();
  for (let second = 2; second < 200; second += 10) send(market, second, 100 + (second % 7));
  const mark = {
    ...closeOn(thursday, 1_000),
    sessionDate: friday,
    comparable: 1_000,
    price: 101,
    at: noon + 1_000,
    isConfirmed: false,
  };
  assert.deepEqual(market.judged, [
    { type: 'set-aside', ticker: 'GGAL', mark, move: 'unrecorded-split' },
  ]);
  assert.deepEqual(market.quote('GGAL')?.setAside, mark);
  assert.deepEqual(market.engine.setAsideOf(ggal), mark);
});

test('if the close alone is wrong, the variations of the month and the year stay', () => {
  const market = overruled({
    previous: closeOn(wednesday, 99),
    monthBase: closeOn('2026-10-30', 50.5),
    yearBase: closeOn('2025-12-30', 40.4),
  });
  assert.deepEqual(shown(market), [101, undefined, undefined, 100, 150]);
});

test('the mark survives a restart, also when the actions are read before history', () => {
  const market = overruled();
  const before = market.quote('GGAL');
  market.restart();
  assert.deepEqual(market.quote('GGAL'), before);
  for (const actions of [noActions, split('2020-01-02', 2)]) {
    market.engine.adoptActions(actions, [ggal]);
    assert.deepEqual(market.quote('GGAL')?.setAside, before?.setAside);
  }
  adoptFriday(market, { close: 1_000 });
  assert.deepEqual(market.quote('GGAL')?.setAside, before?.setAside);
  assert.equal(send(market, 10, 102), 'accepted');
  assert.deepEqual(shown(market), withoutBase(102));
  assert.deepEqual(market.reports(), ['set-aside']);
});

test('the mark ends when the close changes, and the new close is compared with', () => {
  const market = overruled();
  adoptFriday(market, { close: 100 }, { previous: closeOn(thursday, 100) });
  assert.deepEqual(shown(market).slice(0, 3), [101, 100, 1]);
  assert.equal(market.quote('GGAL')?.setAside, undefined);
  assert.deepEqual(market.reports(), ['set-aside', 'restored']);
});

test('if the close before the removed one is contradicted too, it is set aside at once', () => {
  const market = overruled();
  adoptFriday(market, undefined, { previous: closeOn(wednesday, 1_010) });
  assert.deepEqual(shown(market), withoutBase(101));
  assert.equal(market.quote('GGAL')?.setAside?.close, 1_010);
  assert.deepEqual(market.reports(), ['set-aside', 'restored', 'set-aside']);
});

test('the mark ends when the split is recorded, and all variations come back on the new basis', () => {
  const market = overruled();
  const { quotes } = market.engine.adoptActions(split(friday, 10), [ggal]);
  assert.equal(quotes.filter(({ instrument }) => instrument.ticker === ggal).length, 1);
  assert.deepEqual(shown(market).slice(0, 3), [101, 100, 1]);
  assert.deepEqual(shown(market).slice(3), [12.22, 26.25]);
  assert.deepEqual(market.reports(), ['set-aside', 'restored']);
});

test('a close that the operator confirms is compared with again, and prices are not judged by it', () => {
  const market = overruled();
  adoptFriday(market, { close: 1_000, source: 'confirmed:import:a.csv' });
  assert.deepEqual(shown(market), [101, 1_000, -89.9, -88.78, -87.38]);
  assert.equal(market.quote('GGAL')?.setAside?.isConfirmed, true);
  assert.equal(send(market, 10, 102), 'accepted');
  market.restart();
  assert.deepEqual(shown(market).slice(0, 3), [102, 1_000, -89.8]);
  assert.equal(send(market, 20, 103), 'accepted');
  adoptFriday(market, { close: 1_000, source: 'confirmed:import:a.csv' });
  assert.deepEqual(shown(market).slice(0, 3), [103, 1_000, -89.7]);
  adoptFriday(market, { close: 100 }, { previous: closeOn(thursday, 100) });
  assert.deepEqual(shown(market).slice(0, 3), [103, 100, 3]);
  assert.deepEqual(market.reports(), ['set-aside', 'restored'], 'once');
});

test('once the session agrees again with the close that it has set aside, the variations come back', () => {
  for (const restarts of [false, true]) {
    const market = overruled();
    if (restarts) market.restart();
    if (restarts) adoptFriday(market, { close: 1_000 });
    assert.equal(send(market, 10, 1_040, fast('one')), 'held');
    assert.deepEqual(shown(market), withoutBase(101));
    assert.equal(send(market, 20, 1_050, fast('two')), 'accepted');
    assert.deepEqual(shown(market), [1_050, 1_000, 5, 16.67, 31.25]);
    assert.deepEqual(market.reports(), ['set-aside', 'held', 'confirmed', 'restored']);
    assert.deepEqual(send(market, 30, 100), 'held');
    assert.equal(send(market, 40, 1_060), 'accepted');
  }
});

test('a jump back that the bound admits restores the close, and a usual move does so within 10 percent of it', () => {
  const back = overruled();
  send(back, 10, 2_000, fast('one'));
  send(back, 20, 2_010, fast('two'));
  assert.deepEqual(shown(back).slice(0, 3), [2_010, 1_000, 101]);
  const near = overruled();
  for (const last of [300, 700, 908]) assert.equal(send(near, last, last), 'accepted');
  assert.deepEqual(shown(near), withoutBase(908));
  send(near, 909, 910);
  assert.deepEqual(shown(near).slice(0, 3), [910, 1_000, -9]);
  assert.deepEqual(near.reports(), ['set-aside', 'restored']);
});

test('a jump within the session judges the close anew: what it still admits stays, and so does a mark that it contradicts', () => {
  const market = withClose();
  send(market, 0, 500);
  send(market, 10, 2_100, fast('one'));
  assert.equal(send(market, 20, 2_110, fast('two')), 'accepted');
  assert.deepEqual(shown(market).slice(0, 2), [2_110, 1_000]);
  assert.deepEqual(market.reports(), ['held', 'confirmed']);
  const marked = overruled();
  send(marked, 10, 20, fast('one'));
  assert.equal(send(marked, 20, 20.1, fast('two')), 'accepted');
  assert.deepEqual(shown(marked), withoutBase(20.1));
  assert.deepEqual(marked.reports(), ['set-aside', 'held', 'confirmed']);
});

test('in a later session, a price near the close that was set aside does not restore it', () => {
  const market = overruled();
  market.settle(at(friday, '17:15'));
  const tuesday = at('2026-11-24', '12:00');
  for (const [index, last] of [300, 900, 1_000].entries()) {
    market.sendOne(update('GGAL', tuesday + index, { last }));
  }
  assert.deepEqual(shown(market), [1_000, 101, 890.1, null, null]);
  const restored = market.judged.filter(({ type }) => type === 'restored');
  assert.deepEqual(restored, []);
});

test('a close that is corrected during the session and contradicts it is set aside by the prices that follow', () => {
  const market = withClose();
  send(market, 0, 1_000);
  market.settle(at('2026-11-19', '17:15'));
  const corrected = { previous: closeOn(thursday, 100) };
  adoptFriday(market, { close: 100 }, corrected);
  assert.deepEqual(shown(market).slice(0, 2), [1_000, 100]);
  for (const [seconds, last] of [
    [60, 1_001],
    [90, 1_002],
    [120, 1_003],
    [200, 1_005],
  ] as const) {
    send(market, seconds, last);
  }
  assert.deepEqual(shown(market).slice(0, 2), [1_005, 100]);
  send(market, 180, 1_004);
  assert.deepEqual(shown(market), withoutBase(1_005), 'by a late price within the range too');
  assert.deepEqual(
    market.judged.map((one) => [one.type, one.type === 'set-aside' && one.move]),
    [['set-aside', 'unrecorded-split']],
  );
  market.restart();
  assert.deepEqual(shown(market), withoutBase(1_005));

  const ofSlow = withClose();
  send(ofSlow, 0, 1_000, slow('one'));
  adoptFriday(ofSlow, { close: 100 }, corrected);
  for (const seconds of [60, 120]) send(ofSlow, seconds, 1_000, slow('one'));
  assert.deepEqual(shown(ofSlow).slice(0, 2), [1_000, 100]);
  send(ofSlow, 180, 1_000, slow('one'));
  assert.deepEqual(shown(ofSlow), withoutBase(1_000), 'three in a row of a source polled slowly');

  const admitted = withClose();
  send(admitted, 0, 1_000);
  adoptFriday(admitted, { close: 100 }, corrected);
  for (const [seconds, last] of [
    [60, 1_001],
    [90, 1_002],
    [100, 390],
    [120, 1_003],
    [200, 1_005],
    [240, 1_006],
    [300, 1_007],
  ] as const) {
    send(admitted, seconds, last);
  }
  assert.deepEqual(shown(admitted).slice(0, 2), [1_007, 100], 'a price that it admits ends that');
});

test('a confirmed close of a derived instrument does not keep a later one from being set aside', () => {
  const market = withClose();
  market.adopt('SAME', [thursday, 1_000]);
  send(market, 0, 100, fast('one'));
  send(market, 1, 101, fast('two'));
  market.adopt('SAME', [thursday, 1_000], {
    sessionDate: friday,
    references: { previous: closeOn(thursday, 1_000) },
    setAside: {
      day: toEpochDay(thursday as PlainDate),
      close: { ...closeOn(thursday, 1_000), volume: null, source: 'confirmed' },
    },
  });
  assert.deepEqual(shown(market, 'SAME').slice(0, 3), [101, 1_000, -89.9]);
  send(market, 10, 102);
  assert.deepEqual(shown(market, 'SAME').slice(0, 2), [102, 1_000], 'the confirmed close stays');
  const there = [900, 905, 102, 103];
  for (const [index, last] of there.entries()) send(market, 20 + index, last);
  assert.deepEqual(shown(market, 'SAME').slice(0, 2), [103, 1_000], 'also after it was near');
  market.settle(at(friday, '17:15'));
  for (const name of ['one', 'two']) {
    const tuesday = update('GGAL', at('2026-11-24', '12:00'), { last: 10 });
    market.sendOne(tuesday, fast(name));
  }
  assert.deepEqual(shown(market, 'SAME').slice(0, 3), [10, undefined, undefined]);
  assert.equal(market.quote('SAME')?.setAside?.close, 103);
  const moves = market.judged.flatMap((one) => (one.type === 'set-aside' ? [one.move] : []));
  assert.deepEqual(moves.slice(-1), ['jump']);
});

test('a close of more than 45 days before the session is never set aside, though a derived value contradicts it', () => {
  for (const [day, close] of [
    ['2026-10-06', undefined],
    ['2026-10-05', 1_000],
  ] as const) {
    const market = withClose();
    market.adopt('SAME', [day, 1_000]);
    send(market, 0, 100, fast('one'));
    send(market, 1, 101, fast('two'));
    assert.deepEqual(shown(market, 'SAME').slice(0, 2), [101, close], day);
  }
});

test('reports of an earlier session are no witnesses', () => {
  const market = withClose();
  for (const seconds of [0, 60]) send(market, seconds, 100, slow('one'));
  const tuesday = at('2026-11-24', '12:00');
  for (const [index, outcome] of [implausible, implausible, 'accepted'].entries()) {
    const one = update('GGAL', tuesday + index * 60_000, { last: 100 });
    assert.deepEqual(market.sendOne(one, slow('one')), outcome);
  }
  assert.equal(market.quote('GGAL')?.setAside?.at, tuesday + 120_000);
});

test('of a source with a price every second, the two minutes count from its first price', () => {
  const market = withClose();
  for (let seconds = 0; seconds < 120; seconds += 1) {
    assert.deepEqual(send(market, seconds, 100 + (seconds % 7)), implausible);
  }
  assert.equal(send(market, 120, 101), 'accepted');
  assert.deepEqual(shown(market), withoutBase(101));
});
