import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { SessionChart } from './session-chart.ts';

const instrument = sampleUniverse.get('GGAL' as Ticker);
const calendar = new MarketCalendars(sampleUniverse).of(instrument);

function at(date: string, time: string, price: number): Bar {
  return barAt(date, time, [price, price, price, price], 1);
}

/** A store that reports the first day of each range that is read. */
class Store {
  readonly bars: Bar[] = [];
  readonly read: string[] = [];
  fault: Error | undefined;

  readBars(
    _: Ticker,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<Bar[]> {
    if (this.fault !== undefined) return Promise.reject(this.fault);
    this.read.push(fromEpochDay(from as Bar['day']));
    return Promise.resolve(this.bars.filter(({ day }) => day >= from && day <= to));
  }
}

const onLoad = (): void => undefined;

function chartOf(
  store: Store,
  underWay: () => Bar | undefined,
  sessionsMax = Number.POSITIVE_INFINITY,
): SessionChart {
  const interval = 5;
  const parts = { interval, bars: store, calendar, sessionsMax, underWay, onLoad } as const;
  return new SessionChart(instrument, parts);
}

async function barsOf(chart: SessionChart): Promise<number> {
  return (await chart.current()).before(Number.POSITIVE_INFINITY);
}

test('the store is read once for a minute, and then only from the latest session on', async () => {
  const store = new Store();
  store.bars.push(at('2026-11-18', '12:00', 1), at('2026-11-19', '12:00', 2));
  let bar = at('2026-11-20', '10:30', 3);
  const chart = chartOf(store, () => bar);
  assert.equal(await barsOf(chart), 3);
  bar = at('2026-11-20', '10:30', 4);
  assert.equal(await barsOf(chart), 3);
  assert.equal(store.read.length, 1);

  store.bars.push(bar);
  bar = at('2026-11-20', '10:36', 5);
  assert.equal(await barsOf(chart), 4);
  store.bars.push(bar);
  bar = at('2026-11-24', '10:30', 6);
  assert.equal(await barsOf(chart), 5);
  assert.deepEqual(store.read.slice(1), ['2026-11-20', '2026-11-20']);
});

test('requests of one minute wait for one read; a read that failed is tried again', async () => {
  const store = new Store();
  const chart = chartOf(store, () => at('2026-11-20', '10:30', 3));
  store.fault = new Error('gone');
  await assert.rejects(async () => chart.current(), /gone/);
  store.fault = undefined;
  assert.deepEqual(await Promise.all([barsOf(chart), barsOf(chart)]), [1, 1]);
  assert.equal(store.read.length, 1);
});

/** The days of the sample week, one bar each. */
const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];

test('a session that begins drops the oldest one as the store does, and none of those that the store had beyond its limit', async () => {
  for (const { stored, sessionsMax, expected } of [
    { stored: 1, sessionsMax: 2, expected: [2, 3, 3, 3] },
    { stored: 3, sessionsMax: 2, expected: [4, 4] },
  ]) {
    const store = new Store();
    store.bars.push(...week.slice(0, stored).map((date) => at(date, '12:00', 1)));
    let bar: Bar | undefined;
    const chart = chartOf(store, () => bar, sessionsMax);
    const counts: number[] = [];
    for (const date of week.slice(stored)) {
      bar = at(date, '12:00', 1);
      counts.push(await barsOf(chart));
      store.bars.push(bar);
    }
    assert.deepEqual(counts, expected);
  }
});

test('other work runs between the sessions of a chart that is read', async () => {
  const store = new Store();
  store.bars.push(...week.map((date) => at(date, '12:00', 1)));
  const chart = chartOf(store, () => undefined);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await chart.current();
  isOver = true;
  assert.ok(turns >= week.length - 1, `${turns} turns`);
});
