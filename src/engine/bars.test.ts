import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { barAt } from '../../test/support/market/bar-samples.ts';
import { apply, at, latest, update } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { Bar, TickerBar } from '../domain/quotes/minute-bar.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { StoredQuote } from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Update } from '../domain/quotes/update.ts';
import { Engine } from './engine.ts';

const al30 = 'AL30' as Ticker;
const date = '2026-11-20';
const settleDelayMs = 900_000;

const universe = makeUniverse([
  { ticker: 'AL30' },
  { ticker: 'AL30D' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
  {
    ticker: 'DOLAR MEP',
    kind: 'exchange-rate',
    derivation: { type: 'ratio', numerator: al30, denominator: 'AL30D' as Ticker },
  },
]);

function makeEngine(options: { recordsBars?: boolean } = {}): Engine {
  return new Engine(universe, { settleDelayMs, nextVersion: 1, recordsBars: true, ...options });
}

/** A Buenos Aires time with seconds, on the day of the tests. */
function time(text: string): number {
  return Date.parse(`${date}T${text}-03:00`);
}

/** Applies updates of AL30, and gives the finished bars. */
function applyAll(
  engine: Engine,
  updates: readonly (readonly [time: string, said: Omit<Update, 'ticker' | 'at'>])[],
): readonly Bar[] {
  return updates.flatMap(([when, said]) =>
    apply(engine, update('AL30', time(when), said)).bars.map(({ bar }) => plain(bar)),
  );
}

/** A bar without what only the engine needs. */
function plain({ day, minute, open, high, low, last, volume }: Bar): Bar {
  return { day, minute, open, high, low, last, volume };
}

function underWay(engine: Engine, ticker = 'AL30'): Bar | undefined {
  const bar = latest(engine, ticker)?.bar;
  return bar === undefined ? undefined : plain(bar);
}

test('volume without a price is in the bar of its minute, else in the next bar', () => {
  const engine = makeEngine();
  applyAll(engine, [
    ['11:00:00', { last: 100, volume: 10 }],
    ['11:00:20', { volume: 25 }],
  ]);
  assert.equal(underWay(engine)?.volume, 25);
  assert.deepEqual(applyAll(engine, [['11:05:00', { volume: 40 }]]), []);
  assert.equal(underWay(engine)?.volume, 25);
  const finished = applyAll(engine, [['11:07:00', { last: 101, volume: 45 }]]);
  assert.deepEqual(
    finished.map(({ volume }) => volume),
    [25],
  );
  assert.equal(underWay(engine)?.volume, 20);
});

test('a volume that is corrected downwards never makes the volume of a bar negative', () => {
  const engine = makeEngine();
  applyAll(engine, [
    ['11:00:00', { last: 100, volume: 1_000 }],
    ['11:01:00', { last: 100, volume: 1_200 }],
    ['11:01:30', { last: 100, volume: 1_100 }],
  ]);
  assert.equal(underWay(engine)?.volume, 100);
  applyAll(engine, [['11:01:40', { last: 100, volume: 400 }]]);
  assert.equal(underWay(engine)?.volume, 0);
  applyAll(engine, [['11:01:50', { last: 100, volume: 450 }]]);
  assert.equal(underWay(engine)?.volume, 50);
  applyAll(engine, [['11:02:10', { last: 100, volume: 300 }]]);
  assert.equal(underWay(engine)?.volume, 0);
});

test('the volume of a bar is null where the kind has none, and counts from the first that is known', () => {
  const engine = makeEngine();
  apply(engine, update('MERVAL', time('11:00:00'), { last: 100, volume: 7 }));
  assert.equal(underWay(engine, 'MERVAL')?.volume, null);
  apply(engine, update('MERVAL', time('11:01:00'), { last: 100 }));
  assert.equal(underWay(engine, 'MERVAL')?.volume, null);
  // A close alone leaves the volume of the session unknown.
  applyAll(engine, [
    ['11:00:00', { close: 100 }],
    ['11:01:00', { last: 101 }],
  ]);
  assert.equal(underWay(engine)?.volume, null);
  applyAll(engine, [['11:02:00', { last: 101, volume: 8 }]]);
  assert.equal(underWay(engine)?.volume, 8);
  applyAll(engine, [
    ['11:02:30', { last: 101, volume: 9 }],
    ['11:03:00', { last: 101, volume: 9 }],
  ]);
  assert.equal(underWay(engine)?.volume, 0);
});

test('the high and low of a session are not those of a bar, unless they were exceeded within its minute', () => {
  const engine = makeEngine();
  applyAll(engine, [['11:00:00', { last: 100, high: 130, low: 70 }]]);
  assert.deepEqual(underWay(engine), barAt(date, '11:00', [100, 100, 100, 100]));
  applyAll(engine, [['11:00:20', { last: 100, high: 130, low: 70, volume: 1 }]]);
  assert.deepEqual(underWay(engine), barAt(date, '11:00', [100, 100, 100, 100], 1));
  applyAll(engine, [['11:00:40', { last: 101, high: 131, low: 69 }]]);
  assert.deepEqual(underWay(engine), barAt(date, '11:00', [100, 131, 69, 101], 1));
  // The high rose since an update of another minute.
  applyAll(engine, [['11:01:00', { last: 101, high: 140, low: 60 }]]);
  assert.deepEqual(underWay(engine), barAt(date, '11:01', [101, 101, 101, 101]));
  applyAll(engine, [['11:01:10', { high: 141 }]]);
  assert.deepEqual(underWay(engine), barAt(date, '11:01', [101, 141, 101, 101]));
  applyAll(engine, [['11:01:20', { low: 59 }]]);
  assert.deepEqual(underWay(engine), barAt(date, '11:01', [101, 141, 59, 101]));
});

test('a late update widens the bar of its minute, and changes neither its last price nor a finished bar', () => {
  const engine = makeEngine();
  applyAll(engine, [
    ['11:00:00', { last: 120, volume: 1 }],
    ['11:01:00', { last: 80, volume: 2 }],
    ['11:02:00', { last: 100, volume: 3 }],
    ['11:02:30', { last: 101, volume: 4 }],
  ]);
  const before = latest(engine, 'AL30')?.version ?? 0;
  const late = apply(engine, update('AL30', time('11:02:10'), { last: 104, volume: 9 }));
  assert.equal(late.outcome, 'accepted');
  assert.equal(late.quotes.length, 1);
  assert.ok((latest(engine, 'AL30')?.version ?? 0) > before);
  assert.deepEqual(underWay(engine), barAt(date, '11:02', [100, 104, 100, 101], 2));
  const again = apply(engine, update('AL30', time('11:02:10'), { last: 104, volume: 9 }));
  assert.equal(again.outcome, 'unchanged');
  const low = apply(engine, update('AL30', time('11:02:29.999'), { last: 97, high: 200 }));
  assert.equal(low.outcome, 'accepted');
  assert.deepEqual(underWay(engine), barAt(date, '11:02', [100, 104, 97, 101], 2));
  const older = apply(engine, update('AL30', time('11:01:59'), { last: 110 }));
  assert.equal(older.outcome, 'unchanged');
  assert.deepEqual(older.bars, []);
  assert.deepEqual(underWay(engine), barAt(date, '11:02', [100, 104, 97, 101], 2));
});

test('the last bar of a session is finished with the session, once', () => {
  const engine = makeEngine();
  applyAll(engine, [['16:59:59', { last: 100, volume: 5 }]]);
  const close = at(date, '17:00') + settleDelayMs;
  assert.deepEqual(engine.settle(close - 1).bars, []);
  const settled = engine.settle(close);
  const bar = barAt(date, '16:59', [100, 100, 100, 100], 5);
  assert.deepEqual(
    settled.bars.map((one) => [one.ticker, plain(one.bar)]),
    [['AL30', bar]],
  );
  assert.equal(settled.stored[0]?.bar?.isRecorded, true);
  assert.deepEqual(underWay(engine), bar);
  assert.deepEqual(engine.settle(close + 1).bars, []);
  const next = apply(engine, update('AL30', at('2026-11-24', '11:00'), { last: 101, volume: 1 }));
  assert.deepEqual(next.bars, []);
});

test('a session that history replaces keeps its bar until the next price', () => {
  const engine = makeEngine();
  applyAll(engine, [['16:59:10', { last: 100, volume: 50 }]]);
  const sessionDate = '2026-11-24' as PlainDate;
  engine.adoptHistory([
    {
      ticker: al30,
      closesReturned: 0,
      latest: { day: toEpochDay(sessionDate), close: 101, volume: 20 },
      sessionDate,
      references: {},
    },
  ]);
  assert.deepEqual(underWay(engine), barAt(date, '16:59', [100, 100, 100, 100], 50));
  const next = apply(engine, update('AL30', at(sessionDate, '11:00'), { last: 102, volume: 60 }));
  assert.equal(next.bars.length, 1);
  // The bars of the session do not continue from a volume of another session.
  assert.equal(underWay(engine)?.volume, 60);
});

test('without recording there are no bars, and those of earlier are not restored', () => {
  const engine = makeEngine();
  const { stored } = apply(engine, update('AL30', time('11:00:00'), { last: 100 }));
  assert.equal(stored.length, 1);
  const other = makeEngine({ recordsBars: false });
  other.restore(stored);
  assert.equal(latest(other, 'AL30')?.bar, undefined);
  const changes = apply(other, update('AL30', time('11:01:00'), { last: 101 }));
  assert.deepEqual(
    [changes.bars, changes.stored[0]?.bar, changes.quotes[0]?.bar],
    [[], undefined, undefined],
  );
  assert.deepEqual(other.settle(at(date, '17:15')).bars, []);
  const unset = new Engine(universe, { settleDelayMs, nextVersion: 1 });
  assert.equal(
    apply(unset, update('AL30', time('11:01:00'), { last: 1 })).stored[0]?.bar,
    undefined,
  );
});

test('the bars of a session equal those computed from its prices, whatever the batches and restarts', () => {
  const step = fc.record({
    seconds: fc.integer({ min: 0, max: 90 }),
    last: fc.integer({ min: 90, max: 110 }),
    traded: fc.integer({ min: 0, max: 20 }),
    restarts: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      let engine = makeEngine();
      const finished: TickerBar[] = [];
      const expected = new Map<number, Bar>();
      let instant = time('11:00:00');
      let volume = 0;
      let stored: readonly StoredQuote[] = [];
      for (const { seconds, last, traded, restarts } of steps) {
        instant += seconds * 1_000;
        volume += traded;
        const changes = apply(engine, update('AL30', instant, { last, volume }));
        finished.push(...changes.bars);
        stored = changes.stored.length > 0 ? changes.stored : stored;
        note(expected, { instant, last, traded });
        if (!restarts) continue;
        engine = makeEngine();
        engine.restore(stored);
      }
      const bars = finished.map(({ bar }) => plain(bar));
      const current = underWay(engine);
      assert.deepEqual([...bars, current], [...expected.values()]);
    }),
    { numRuns: 60 },
  );
});

function note(
  expected: Map<number, Bar>,
  { instant, last, traded }: { instant: number; last: number; traded: number },
): void {
  const minute = Math.floor(instant / 60_000);
  const held = expected.get(minute);
  const day = toEpochDay(date as PlainDate);
  expected.set(minute, {
    day,
    minute,
    open: held?.open ?? last,
    high: Math.max(held?.high ?? last, last),
    low: Math.min(held?.low ?? last, last),
    last,
    volume: (held?.volume ?? 0) + traded,
  });
}
