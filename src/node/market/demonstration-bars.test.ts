import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { msPerMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { Engine } from '../../engine/engine.ts';
import { Secrets } from '../../feeds/contract/secrets.ts';
import { SimulatedMarket } from '../../feeds/simulated/simulated-market.ts';
import { SimulatedMinutes } from '../../feeds/simulated/simulated-minutes.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/contract/store.ts';
import { DemonstrationBars } from './demonstration-bars.ts';
import { demonstrated, demonstration } from './demonstration.ts';
import { figuresOf, fillDemonstration } from './fill-demonstration.ts';
import { testChange, testStamp } from '../../../test/support/market/test-change.ts';

const { seed } = demonstration;
const [al30, al30d] = ['AL30', 'AL30D'] as [Ticker, Ticker];
const configured = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: al30, kind: 'bond' },
  { ticker: al30d, kind: 'bond' },
  { ticker: 'AAPL_US', market: 'NYSE' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO', decimals: 2 },
  { ticker: 'DOLAR BLUE', kind: 'exchange-rate' },
  {
    ticker: 'DOLAR MEP',
    kind: 'exchange-rate',
    derivation: { type: 'ratio', numerator: al30, denominator: al30d },
  },
]);
const { universe } = demonstrated({ universe: configured });
const minutes = new SimulatedMinutes(universe, seed);

function at(date: string, time: string): number {
  return Date.parse(`${date}T${time}-03:00`);
}

/** A demonstration that is started at an instant. */
async function start(
  t: TestContext,
  now: number,
): Promise<{ readonly store: Store; readonly bars: DemonstrationBars }> {
  const store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  t.after(() => store[Symbol.asyncDispose]());
  await fillDemonstration(store, { universe, seed, source: 'demo', now });
  return { store, bars: barsOf(store, now) };
}

function barsOf(store: Store, startedAt: number): DemonstrationBars {
  return new DemonstrationBars({
    stored: store.bars,
    history: store.history,
    minutes,
    startedAt: () => startedAt,
  });
}

const always = {
  from: toEpochDay('2026-01-01' as PlainDate),
  to: toEpochDay('2026-12-31' as PlainDate),
};

/** Fails unless the minutes of a day have the figures of its daily close. */
async function assertAgrees(store: Store, ticker: Ticker, day: readonly Bar[]): Promise<void> {
  const [first, last] = [day[0] ?? assert.fail(ticker), day.at(-1) ?? assert.fail(ticker)];
  const range = { from: first.day, to: first.day };
  const [close = assert.fail(`${ticker} has no close`)] = await store.history.readCloses(
    ticker,
    range,
  );
  const volume = day.reduce((sum, bar) => sum + (bar.volume ?? 0), 0);
  assert.deepEqual(
    [
      close.open ?? first.open,
      close.high ?? Math.max(...day.map(({ high }) => high)),
      close.low ?? Math.min(...day.map(({ low }) => low)),
      close.close,
      close.volume ?? 0,
    ],
    [
      first.open,
      Math.max(...day.map(({ high }) => high)),
      Math.min(...day.map(({ low }) => low)),
      last.last,
      volume,
    ],
    `${ticker} on day ${first.day}`,
  );
  for (const [index, bar] of day.entries()) {
    assert.ok(index === 0 || bar.minute > (day[index - 1]?.minute ?? 0), 'minutes ascend');
    assert.ok(bar.low <= Math.min(bar.open, bar.last) && bar.high >= Math.max(bar.open, bar.last));
  }
}

test('a demonstration has the minutes of its past sessions from the first start on, and they agree with the daily closes', async (t) => {
  // A Sunday.
  const now = at('2026-11-22', '11:00:30');
  const { store, bars } = await start(t, now);
  for (const instrument of universe.instruments) {
    const { ticker } = instrument;
    const calendar = minutes.calendarOf(instrument);
    const days = [...Map.groupBy(await bars.readBars(ticker, always), ({ day }) => day).values()];
    const today = toEpochDay(calendar.dateAt(now));
    const past = days.filter(([bar]) => bar?.day !== today);
    assert.equal(past.length, 5, ticker);
    for (const day of past) await assertAgrees(store, ticker, day);
    const own = days.find(([bar]) => bar?.day === today) ?? assert.fail(ticker);
    assert.equal(own[0]?.minute, calendar.startOfDay(calendar.dateAt(now)) / msPerMinute);
    assert.equal(own.at(-1)?.minute, Math.floor(now / msPerMinute) - 1);
    assert.equal(await bars.latestBarDay(ticker), today);
  }
  // What the demonstration recorded by itself is read without computing anything.
  const since = { ...always, sinceMinute: Math.floor(now / msPerMinute) };
  assert.deepEqual(await bars.readBars('GGAL' as Ticker, since), []);
  const last = { ...always, sinceMinute: since.sinceMinute - 2 };
  assert.equal((await bars.readBars('GGAL' as Ticker, last)).length, 2);
  assert.deepEqual(await bars.readBars('NADA' as Ticker, always), []);
});

/** Lets a demonstration run from one instant to another, with about one update of each instrument in 20 seconds. */
async function run(store: Store, from: number, to: number): Promise<void> {
  const engine = new Engine(universe, {
    settleDelayMs: 900_000,
    nextVersion: 1,
    recordsBars: true,
  });
  engine.restore(await store.quotes.readAll());
  let now = from;
  const stopping = new AbortController();
  const [{ config, type } = assert.fail('no feed')] = demonstrated({ universe }).feeds.feeds;
  const feed = type.create?.(config, {
    universe,
    clock: clockAt(() => now),
    async pause() {
      now += 20_000;
      if (now >= to) stopping.abort();
    },
    random: () => assert.fail('the prices are no chance'),
    log: silentLog,
    directory: '.',
    secrets: new Secrets({ env: {}, directory: '.' }),
  });
  for await (const { updates } of feed?.batches(stopping.signal) ?? []) {
    const turn = engine.apply(updates, now, { name: 'demo', delayMinutes: 0 });
    const usual = new Set<unknown>(['accepted', 'unchanged']);
    assert.deepEqual(
      turn.outcomes.filter((outcome) => !usual.has(outcome)),
      [],
    );
    await store.quotes.commit({
      quotes: turn.stored,
      closes: turn.closes,
      storedAt: testChange.at,
      bars: turn.bars,
    });
  }
}

test('a session in which a demonstration is started ends with a close that agrees with all its minutes', async (t) => {
  const now = at('2026-11-22', '23:13:37');
  const { store, bars } = await start(t, now);
  const date = '2026-11-22' as PlainDate;
  const day = toEpochDay(date);
  const today = { from: day, to: day };
  const before = await bars.readBars('GGAL' as Ticker, today);
  assert.equal(before.length, 1393);
  const calendar = minutes.calendarOf(universe.get('GGAL' as Ticker));
  assert.equal(before[0]?.minute, calendar.opensAt(date) / msPerMinute);
  await run(store, now, calendar.closesAt(date) + 60_000);
  for (const { ticker } of universe.instruments) {
    const all = await bars.readBars(ticker, today);
    assert.equal(all.length, 1440, ticker);
    await assertAgrees(store, ticker, all);
  }
  assert.deepEqual((await bars.readBars('GGAL' as Ticker, today)).slice(0, 1393), before);
  const market = new SimulatedMarket(universe, seed);
  const ggal = universe.get('GGAL' as Ticker);
  const [close] = await store.history.readCloses(ggal.ticker, today);
  const { last, volume } = market.closeOf(ggal, day);
  assert.deepEqual([close?.close, close?.volume], [last, volume], 'as if it had run all day');
});

test('a demonstration that was stopped has the minutes between, and a quote or a close that agrees with them', async (t) => {
  const [first, stopped] = [at('2026-11-21', '09:10:40'), at('2026-11-21', '09:25:20')];
  const { store } = await start(t, first);
  await run(store, first, stopped);
  const day = toEpochDay('2026-11-21' as PlainDate);
  const today = { from: day, to: day };
  const recorded = await store.bars.readBars('GGAL' as Ticker, today);
  assert.equal(recorded.length, 15);
  // Some hours later, and then on a later day.
  const again = at('2026-11-21', '15:00:05');
  await fillDemonstration(store, { universe, seed, source: 'demo', now: again });
  const quotes = new Map((await store.quotes.readAll()).map((quote) => [quote.ticker, quote]));
  for (const { ticker } of universe.instruments) {
    const all = await barsOf(store, again).readBars(ticker, today);
    assert.equal(all.length, 15 * 60, ticker);
    const { session } = quotes.get(ticker) ?? assert.fail(ticker);
    const { open, high, low, last, volume } = session;
    const figures = figuresOf(all);
    assert.deepEqual({ open, high, low, close: last, volume }, figures, ticker);
    const gaps = all.filter((bar, index) => index > 0 && bar.open !== all[index - 1]?.last);
    // A recorded minute begins with its first update, and each other one where the minute before ends.
    assert.ok(
      gaps.every(({ minute }) => recorded.some((bar) => bar.minute === minute)),
      ticker,
    );
  }
  const later = at('2026-11-24', '08:00:00');
  await fillDemonstration(store, { universe, seed, source: 'demo', now: later });
  for (const { ticker } of universe.instruments) {
    const all = await barsOf(store, later).readBars(ticker, {
      from: day,
      to: (day + 2) as EpochDay,
    });
    const days = [...Map.groupBy(all, (bar) => bar.day).values()];
    assert.equal(days.length, 3);
    for (const own of days) {
      assert.equal(own.length, 1440, ticker);
      await assertAgrees(store, ticker, own);
    }
  }
  const ggal = await barsOf(store, later).readBars('GGAL' as Ticker, today);
  const kept = new Set(recorded.map(({ minute }) => minute));
  assert.deepEqual(
    ggal.filter(({ minute }) => kept.has(minute)),
    recorded,
    'what was shown stays',
  );
});

test('a start after some days adds the closes since, and changes none that is stored', async (t) => {
  const { store } = await start(t, at('2026-11-13', '18:00:00'));
  const recorded = {
    day: toEpochDay('2026-11-13' as PlainDate),
    close: 123,
    volume: 7,
    source: 'session:demo',
  };
  await store.history.transaction((transaction) => transaction.put(al30, [recorded]), testStamp);
  await fillDemonstration(store, {
    universe,
    seed,
    source: 'demo',
    now: at('2026-11-19', '18:00:00'),
  });
  const closes = await store.history.readCloses(al30, { from: recorded.day, to: always.to });
  assert.deepEqual(closes[0], recorded);
  assert.deepEqual(
    closes.map(({ day }) => day - recorded.day),
    [0, 1, 2, 3, 4, 5],
  );
});

test('a start changes no quote that the feed continues, and brings the others up to now', async (t) => {
  const { store } = await start(t, at('2026-11-19', '15:00:00'));
  const first = await store.quotes.readAll();
  assert.equal(first.length, universe.instruments.length);
  const again = { universe, seed, source: 'demo', now: at('2026-11-19', '15:00:59') };
  await fillDemonstration(store, again);
  assert.deepEqual(await store.quotes.readAll(), first);
  const all = [...first];
  for (const [date, time] of [
    ['2026-11-19', '15:02:00'],
    ['2026-11-20', '12:00:00'],
  ] as const) {
    await fillDemonstration(store, { ...again, now: at(date, time) });
    const next = await store.quotes.readAll();
    assert.deepEqual(new Set(next.map(({ session }) => session.sessionDate)), new Set([date]));
    const asOf = new Set(next.map(({ session }) => session.asOf));
    assert.deepEqual(asOf, new Set([at(date, time) - 1]));
    all.push(...next);
  }
  const versions = new Set(all.map(({ version }) => version));
  assert.equal(versions.size, 3 * first.length, 'no version is used twice');
  // The session between has the close of the simulation, not the price at which the demonstration stopped.
  const market = new SimulatedMarket(universe, seed);
  const ggal = universe.get('GGAL' as Ticker);
  const day = toEpochDay('2026-11-19' as PlainDate);
  const [close] = await store.history.readCloses(ggal.ticker, { from: day, to: day });
  assert.equal(close?.close, market.closeOf(ggal, day).last);
});

test('the minutes of a session are the prices of the feed at its full minutes', () => {
  const market = new SimulatedMarket(universe, seed);
  const date = '2026-11-20' as PlainDate;
  for (const ticker of ['GGAL', 'BTC', 'AAPL_US'] as Ticker[]) {
    const instrument = universe.get(ticker);
    const all = minutes.ofSession(instrument, date);
    for (const bar of all.filter((_, index) => index % 37 === 0)) {
      assert.equal(bar.open, market.at(instrument, bar.minute * msPerMinute).last);
      assert.equal(bar.last, market.at(instrument, (bar.minute + 1) * msPerMinute).last);
    }
    const volume = all.reduce((sum, bar) => sum + (bar.volume ?? 0), 0);
    assert.equal(volume, market.closeOf(instrument, toEpochDay(date)).volume ?? 0);
  }
});

test('the minutes of what is traded have volumes that differ, at any hour of the day', () => {
  for (const ticker of ['GGAL', 'AAPL_US', al30] as Ticker[]) {
    const bars = minutes.ofSession(universe.get(ticker), '2026-11-22' as PlainDate);
    for (const hour of Array.from({ length: 24 }, (_, index) => index)) {
      const volumes = bars.slice(60 * hour, 60 * hour + 60).map(({ volume }) => volume ?? 0);
      const [most, least] = [Math.max(...volumes), Math.min(...volumes)];
      assert.ok(most > 0 && most > 1.5 * least, `${ticker} at ${hour}: ${least} to ${most}`);
    }
  }
});
