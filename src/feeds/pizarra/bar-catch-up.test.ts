import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar, TickerBar } from '../../domain/quotes/minute-bar.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { FeedFault } from '../contract/feed.ts';
import type { PizarraClient } from '../../../clients/typescript/src/index.ts';
import { within } from '../../../test/support/wait.ts';
import type { Origin } from './origin.ts';
import { BarCatchUp } from './bar-catch-up.ts';
import { PendingBatch } from './pending-batch.ts';

const ggal = 'GGAL' as Ticker;
/** The 20th of November 2026, and its first minute. */
const day = 20_777 as EpochDay;
const start = day * 1_440 + 900;
const { signal } = new AbortController();

function bar(minute: number, last = 100): TickerBar {
  const prices = { open: last, high: last, low: last, last, volume: 1 };
  return { ticker: ggal, bar: { day, minute: start + minute, ...prices } };
}

function row({ ticker, bar: { minute, open, high, low, last, volume } }: TickerBar): object {
  const instante = new Date(minute * 60_000).toISOString();
  const prices = { apertura: open, maximo: high, minimo: low, ultimo: last, volumen: volume };
  return { especie: ticker, fecha: '2026-11-20', ...prices, instante };
}

/** Answers one request for bars. */
type Answer = readonly TickerBar[] | FeedFault;

function setUp(answers: readonly Answer[], known?: Pick<Bar, 'day' | 'minute'>) {
  const asked: unknown[] = [];
  const pauses: number[] = [];
  const left = [...answers];
  const intraday = async ({ desde, hasta }: { desde?: string; hasta?: string }) => {
    asked.push({ desde, hasta });
    const answer = left.shift() ?? [];
    if (answer instanceof FeedFault) throw answer;
    return { data: answer.map(row) };
  };
  const client = { intraday } as unknown as PizarraClient;
  const readRows: Origin['readRows'] = async (_, send, mapRows) =>
    mapRows((await send(client, { signal })).data);
  const origin = { readRows };
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  const pending = new PendingBatch();
  const warned: object[] = [];
  const log = { ...silentLog, warn: (details: object) => void warned.push(details) };
  const deps = { log, pause, random: () => 0 };
  const bars = new BarCatchUp({ origin, deps, feed: 'x', latestBar: () => known, pending });
  bars.opened([ggal]);
  /** The minutes of the next batch with bars, with their last prices. */
  const next = async (): Promise<unknown> => {
    for (let batches = 0; batches < 10; batches += 1) {
      await within('bars come', pending.ready(signal));
      const taken = pending.take().bars;
      if (taken !== undefined) return taken.map((one) => [one.bar.minute - start, one.bar.last]);
    }
    return 'no bars';
  };
  return {
    asked,
    pauses,
    pending,
    warned,
    next,
    take: (one: TickerBar) => bars.take(one, signal),
    bars,
  };
}

const everything = { desde: '1970-01-01', hasta: '9999-12-31' };

test('a service without bars reads all sessions, and the bars of the stream wait for them', async () => {
  const { asked, next, take } = setUp([[bar(0), bar(1), bar(2, 101)]]);
  take(bar(2, 102));
  take(bar(3, 103));
  assert.deepEqual(await next(), [
    [0, 100],
    [1, 100],
    [2, 102],
    [3, 103],
  ]);
  assert.deepEqual(asked, [everything]);
  take(bar(3, 104));
  take(bar(4, 105));
  assert.deepEqual(await next(), [
    [3, 104],
    [4, 105],
  ]);
  assert.equal(asked.length, 1);
});

test('after a cut, the minutes since the latest one here are read, from its day on', async () => {
  const { asked, next, take } = setUp([[bar(0), bar(1, 101), bar(2)]], bar(1).bar);
  take(bar(3));
  assert.deepEqual(await next(), [
    [1, 101],
    [2, 100],
    [3, 100],
  ]);
  assert.deepEqual(asked, [{ ...everything, desde: '2026-11-20' }]);
});

test('a bar of the minute that is known needs no request', async () => {
  const { asked, next, take, bars } = setUp([], bar(1).bar);
  take(bar(1, 105));
  assert.deepEqual(await next(), [[1, 105]]);
  take(bar(2));
  bars.opened([ggal]);
  take(bar(2, 106));
  assert.deepEqual(await next(), [[2, 106]]);
  assert.deepEqual(asked, []);
});

test('a limit is obeyed, and a failure is retried', async () => {
  const limited = new FeedFault('limited', 'x', { retryAfterMs: 70_000 });
  const { pauses, next, take } = setUp([limited, new FeedFault('unavailable', 'x'), [bar(0)]]);
  take(bar(1));
  assert.deepEqual(await next(), [
    [0, 100],
    [1, 100],
  ]);
  assert.deepEqual(pauses, [70_000, 1_000]);
});

test('an instrument whose bars cannot be read holds up no other', async () => {
  const asked: Ticker[] = [];
  const origin: Pick<Origin, 'readRows'> = {
    readRows: async (_, send, mapRows) => mapRows((await send(client, { signal })).data),
  };
  const client = {
    intraday: async ({ especie }: { especie: Ticker }) => {
      asked.push(especie);
      if (especie === ggal && new Set(asked).size < 8) throw new FeedFault('unavailable', 'x');
      return { data: [] };
    },
  } as unknown as PizarraClient;
  const pending = new PendingBatch();
  const deps = { log: silentLog, pause: () => Promise.resolve(), random: () => 0 };
  const parts = { origin, deps, feed: 'x', latestBar: () => undefined, pending };
  const bars = new BarCatchUp(parts);
  const tickers = [ggal, 'A', 'B', 'C', 'D', 'E', 'F', 'G'] as Ticker[];
  for (const ticker of tickers) bars.take({ ...bar(1), ticker }, signal);
  const read = new Set<Ticker>();
  for (let batches = 0; batches < 100 && read.size < tickers.length; batches += 1) {
    await within('bars come', pending.ready(signal));
    for (const one of pending.take().bars ?? []) read.add(one.ticker);
  }
  assert.equal(read.size, tickers.length);
  assert.equal(asked.at(-1), ggal);
});

test('if the whole range cannot be read, the last session is, and without it the stream continues', async () => {
  const long = new FeedFault('unintelligible', 'too long');
  const first = setUp([long, [bar(0)]]);
  first.take(bar(1));
  assert.deepEqual(await first.next(), [
    [0, 100],
    [1, 100],
  ]);
  assert.deepEqual(first.asked, [everything, { desde: undefined, hasta: undefined }]);
  const second = setUp([long, long]);
  second.take(bar(1));
  assert.deepEqual(await second.next(), [[1, 100]]);
  assert.deepEqual(second.warned, [{ feed: 'x', ticker: 'GGAL', fault: 'too long' }]);
  second.take(bar(2));
  assert.deepEqual(await second.next(), [[2, 100]]);
});

test('while the minutes before them cannot be read, only the latest bars of an instrument wait', async () => {
  const unavailable = new FeedFault('unavailable', 'x');
  const { next, take } = setUp([...Array.from({ length: 5 }, () => unavailable), [bar(0), bar(1)]]);
  for (let minute = 1; minute <= 1_000; minute += 1) take(bar(minute));
  const latest = Array.from({ length: 10 }, (_, at) => [991 + at, 100]);
  assert.deepEqual(await next(), [[0, 100], [1, 100], ...latest]);
});

test('a bar of an instrument that was not requested is rejected', async () => {
  const other = { ...bar(0), ticker: 'OTRA' as Ticker };
  const { next, pending, take } = setUp([[other, bar(0)]]);
  take(bar(1));
  const rejected: string[] = [];
  const add = pending.reject.bind(pending);
  pending.reject = (list) => {
    rejected.push(...list.map(({ reason, symbol }) => `${reason} ${symbol}`));
    add(list);
  };
  assert.deepEqual(await next(), [
    [0, 100],
    [1, 100],
  ]);
  assert.deepEqual(rejected, ['no-instrument OTRA']);
});

test('faults of one code are logged once, whatever they say', async () => {
  const faults = Array.from(
    { length: 20 },
    (_, at) => new FeedFault('unintelligible', `no. ${at}`),
  );
  const { next, take, bars, warned } = setUp(faults);
  for (let minute = 1; minute <= 10; minute += 1) {
    bars.opened([ggal]);
    take(bar(minute));
    await next();
  }
  assert.equal(warned.length, 1);
});
