import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { deferred } from '../../../test/support/wait.ts';
import { Board } from '../../board/board.ts';
import type { BarInterval } from '../../domain/quotes/bar-interval.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { makeQuote } from '../../domain/quotes/quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { type BarFollower, BarTails } from './bar-tails.ts';

const date = '2026-11-20';

/** A store in memory, with one instrument. */
class Bars implements BarReader {
  stored: Bar[] = [];
  gate: Promise<void> | undefined;
  fault: Error | undefined;
  readonly asked: Parameters<BarReader['readBars']>[1][] = [];

  async readBars(_: Ticker, range: Parameters<BarReader['readBars']>[1]): Promise<readonly Bar[]> {
    this.asked.push(range);
    await this.gate;
    if (this.fault !== undefined) throw this.fault;
    const { from, to, sinceMinute = 0 } = range;
    return this.stored.filter(
      ({ day, minute }) => day >= from && day <= to && minute >= sinceMinute,
    );
  }

  async latestBarDay(): ReturnType<BarReader['latestBarDay']> {
    return undefined;
  }
}

function setUp() {
  const board = new Board(sampleUniverse);
  const bars = new Bars();
  const logged: string[] = [];
  const note = (_: object, message: string): void => void logged.push(message);
  const log = { debug: note, info: note, warn: note, error: note };
  const tails = new BarTails({ board, bars, log });
  let version = 0;
  const show = (ticker: string, bar: Bar | undefined): void => {
    version += 1;
    const session = { sessionDate: date as PlainDate, last: 1, volume: null };
    const instrument = sampleUniverse.get(ticker as Ticker);
    board.adopt([makeQuote(instrument, { version, session, references: {}, bar })]);
  };
  return {
    bars,
    logged,
    tails,
    show,
    /** Finishes a minute as the writer does: it is stored before the next one is shown. */
    roll: (finished: Bar, next: Bar): void => {
      bars.stored.push(finished);
      show('AL30', next);
    },
    follow: (interval: BarInterval, tickers: readonly string[] = ['AL30']): BarFollower =>
      tails.follow({ tickers }, { interval, onReady: () => undefined }),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The pending bars of a follower, once the store has been read. */
async function taken(follower: BarFollower): Promise<readonly Bar[]> {
  await settled();
  return follower.take(100).map(({ bar }) => bar);
}

function flat(time: string, price: number, volume = 1): Bar {
  return barAt(date, time, [price, price, price, price], volume);
}

test('a follower gets the bar under way, with the finished minutes that belong to it', async () => {
  const { bars, follow, show } = setUp();
  bars.stored = [flat('10:59', 9), flat('11:00', 2), flat('11:05', 5), flat('11:07', 7)];
  show('AL30', flat('11:08', 6));
  const expected: readonly [BarInterval, Bar][] = [
    [1, flat('11:08', 6)],
    [5, barAt(date, '11:05', [5, 7, 5, 6], 3)],
    [15, barAt(date, '11:00', [2, 7, 2, 6], 4)],
    [60, barAt(date, '11:00', [2, 7, 2, 6], 4)],
  ];
  for (const [interval, bar] of expected) assert.deepEqual(await taken(follow(interval)), [bar]);
});

test('each change of the bar under way is pending once, in its latest state', async () => {
  const { follow, show } = setUp();
  show('AL30', flat('11:00', 1));
  const follower = follow(5);
  await taken(follower);
  show('AL30', flat('11:00', 2));
  show('AL30', barAt(date, '11:00', [1, 3, 1, 3], 4));
  assert.deepEqual(await taken(follower), [barAt(date, '11:00', [1, 3, 1, 3], 4)]);
  assert.equal(follower.isReady, false);
  assert.deepEqual(await taken(follower), []);
});

test('the last state of each bar is given, also when quotes in between were skipped', async () => {
  const { bars, follow, roll } = setUp();
  const followers = [follow(1), follow(5), follow(60)] as const;
  bars.stored = [flat('11:01', 1), flat('11:04', 4)];
  roll(flat('11:05', 5), flat('11:06', 6));
  const first = await Promise.all(followers.map(taken));
  assert.deepEqual(first, [
    [flat('11:06', 6)],
    [barAt(date, '11:05', [5, 6, 5, 6], 2)],
    [barAt(date, '11:00', [1, 6, 1, 6], 4)],
  ]);
  // No quote of 11:06 to 11:12 was seen after the first.
  bars.stored.push(barAt(date, '11:06', [6, 8, 6, 7], 3), flat('11:09', 9));
  roll(flat('11:12', 12), flat('12:01', 13));
  assert.deepEqual(await Promise.all(followers.map(taken)), [
    [barAt(date, '11:06', [6, 8, 6, 7], 3), flat('11:09', 9), flat('11:12', 12), flat('12:01', 13)],
    [
      barAt(date, '11:05', [5, 9, 5, 9], 5),
      barAt(date, '11:10', [12, 12, 12, 12], 1),
      barAt(date, '12:00', [13, 13, 13, 13], 1),
    ],
    [barAt(date, '11:00', [1, 12, 1, 12], 8), barAt(date, '12:00', [13, 13, 13, 13], 1)],
  ]);
});

test('a later session follows the last bar of the one before', async () => {
  const { follow, roll, show } = setUp();
  show('AL30', flat('16:58', 1));
  const follower = follow(15);
  await taken(follower);
  const next = barAt('2026-11-24', '10:30', [2, 2, 2, 2], 1);
  roll(barAt(date, '16:58', [1, 4, 1, 3], 9), next);
  assert.deepEqual(await taken(follower), [barAt(date, '16:45', [1, 4, 1, 3], 9), next]);
});

test('minutes that begin while the store is read are read after it', async () => {
  const { bars, follow, roll } = setUp();
  const { promise, resolve } = deferred<void>();
  bars.gate = promise;
  const follower = follow(1);
  roll(flat('11:00', 1), flat('11:01', 2));
  roll(flat('11:01', 3), flat('11:02', 4));
  roll(flat('11:02', 5), flat('11:03', 6));
  const late = follow(1);
  assert.equal(late.isReady, false);
  resolve();
  const both = [flat('11:01', 3), flat('11:02', 5), flat('11:03', 6)];
  assert.deepEqual(await taken(follower), both);
  assert.equal(bars.asked.length, 2);
  assert.deepEqual(await taken(late), both);
});

test('a follower of another instrument, interval or none gets nothing', async () => {
  const { bars, follow, show } = setUp();
  const other = follow(1, ['GGAL', 'unknown']);
  show('AL30', flat('11:00', 1));
  assert.deepEqual(await taken(other), []);
  assert.equal(bars.asked.length, 0, 'bars of instruments without a follower are not read');
  show('GGAL', undefined);
  assert.deepEqual(await taken(other), []);
  assert.equal(bars.asked.length, 0);
});

test('a follower that has left gets nothing, and the last one ends the reading', async () => {
  const { bars, follow, show, roll } = setUp();
  show('AL30', flat('11:00', 1));
  const [a, b] = [follow(1), follow(1)];
  await taken(a);
  await taken(b);
  a[Symbol.dispose]();
  show('AL30', flat('11:00', 2));
  assert.deepEqual(await taken(a), []);
  assert.deepEqual(await taken(b), [flat('11:00', 2)]);
  b[Symbol.dispose]();
  const reads = bars.asked.length;
  roll(flat('11:00', 2), flat('11:01', 3));
  assert.deepEqual(await taken(b), []);
  assert.equal(bars.asked.length, reads);
  // One that comes later begins with the bar under way.
  assert.deepEqual(await taken(follow(5)), [barAt(date, '11:00', [2, 3, 2, 3], 2)]);
});

test('when the store cannot be read, this is logged, and the next quote reads it again', async () => {
  const { bars, follow, logged, roll, show } = setUp();
  show('AL30', flat('11:00', 1));
  const follower = follow(1);
  await taken(follower);
  bars.fault = new Error('no');
  roll(flat('11:00', 2), flat('11:01', 3));
  assert.deepEqual(await taken(follower), []);
  assert.deepEqual(logged, ['could not read the bars of a stream']);
  bars.fault = undefined;
  show('AL30', flat('11:01', 4));
  assert.deepEqual(await taken(follower), [flat('11:00', 2), flat('11:01', 4)]);
});

test('a minute before the one under way begins anew', async () => {
  const { bars, follow, show } = setUp();
  show('AL30', flat('12:30', 1));
  const follower = follow(60);
  await taken(follower);
  bars.stored = [flat('11:01', 5)];
  show('AL30', flat('11:02', 6));
  assert.deepEqual(await taken(follower), [barAt(date, '11:00', [5, 6, 5, 6], 2)]);
});

test('a follower is told once when bars become pending, and again only after they were taken', async () => {
  const { show, tails } = setUp();
  show('AL30', flat('11:00', 1));
  let calls = 0;
  const follower = tails.follow(
    { tickers: ['AL30'] },
    { interval: 1, onReady: () => (calls += 1) },
  );
  await settled();
  assert.equal(calls, 1);
  show('AL30', flat('11:00', 2));
  assert.equal(calls, 1);
  await taken(follower);
  show('AL30', flat('11:00', 3));
  assert.equal(calls, 2);
});

test('a reader that takes a part gets whole instruments, and the others later', async () => {
  const { follow, show } = setUp();
  show('AL30', flat('11:00', 1));
  show('GGAL', flat('11:00', 2));
  const follower = follow(1, ['AL30', 'GGAL']);
  await settled();
  assert.deepEqual(
    follower.take(1).map(({ bar }) => bar.last),
    [1],
  );
  assert.equal(follower.isReady, true);
  assert.deepEqual(
    follower.take(1).map(({ bar }) => bar.last),
    [2],
  );
  assert.equal(follower.isReady, false);
});

test('the bars that are pending for a reader are limited, and the oldest ones are dropped', async () => {
  const { bars, follow, show } = setUp();
  show('AL30', flat('10:30', 1));
  const follower = follow(1);
  await taken(follower);
  for (let minute = 31; minute < 131; minute += 1) {
    const time = `${String(10 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    bars.stored.push(flat(time, minute));
  }
  show('AL30', flat('13:00', 200));
  const pending = await taken(follower);
  assert.equal(pending.length, 60);
  assert.deepEqual([pending[0]?.last, pending.at(-2)?.last, pending.at(-1)?.last], [72, 130, 200]);
});

test('disposed tails no longer follow their board', async () => {
  const { bars, follow, show, tails } = setUp();
  const follower = follow(1);
  tails[Symbol.dispose]();
  show('AL30', flat('11:00', 1));
  assert.deepEqual(await taken(follower), []);
  assert.equal(bars.asked.length, 0);
});
