import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromEpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { bymaType } from '../../../src/feeds/sources/byma.ts';
import { data912Type } from '../../../src/feeds/sources/data912.ts';
import type { FeedType } from '../../../src/feeds/contract/feed-type.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { fixed, SourceServer } from '../../support/http/source-server.ts';
import { createFeed } from './source-suite.ts';

/**
 * Sources whose rows have no date, over days with a weekend and a holiday: from the feed through the
 * engine, on a clock that the pauses of the poller move.
 */

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'PAMP' }]);
const minuteMs = 60_000;

/** An instant of Buenos Aires. 20 November 2026 is a Friday, the 23rd a holiday. */
function at(date: string, time: string): number {
  return Date.parse(`2026-11-${date}T${time}:00-03:00`);
}

/** The trades of GGAL: instant and price. PAMP does not trade on these days. */
const trades: readonly (readonly [number, number])[] = [
  [at('20', '10:45'), 6_000],
  [at('20', '14:00'), 6_200],
  [at('20', '16:50'), 6_100],
  [at('24', '11:30'), 6_300],
];

interface Played {
  readonly type: FeedType;
  readonly body: (now: number) => unknown;
  readonly from: number;
  readonly until: number;
}

/** The quotes and the closes that a source makes. */
async function play({ type, body, from, until }: Played): Promise<{
  readonly quotes: readonly string[];
  readonly closes: readonly string[];
  readonly polls: number;
}> {
  await using server = await SourceServer.start();
  let now = from;
  server.respond = (request, response) => {
    fixed(200, {}, JSON.stringify(body(now)))(request, response);
  };
  const engine = new Engine(universe, { settleDelayMs: 15 * minuteMs, nextVersion: 1 });
  const stopping = new AbortController();
  const feed = createFeed({ type, universe, now, config: { pollSeconds: 900 } }, server.url, {
    clock: { now: () => now, monotonic: () => now },
    async pause(ms) {
      now += ms;
      if (now >= until) stopping.abort();
    },
    fetchLimits: {},
  });
  const closes: string[] = [];
  for await (const { updates, failed } of feed.batches(stopping.signal)) {
    assert.equal(failed, undefined);
    for (const turn of [engine.apply(updates, now), engine.settle(now)]) {
      for (const { ticker, close } of turn.closes) {
        closes.push(`${ticker} ${fromEpochDay(close.day)} ${close.close} ${close.volume}`);
      }
    }
  }
  const quotes = engine.quotes().map(({ instrument, sessionDate, last, high, low, asOf }) => {
    const instant = new Date((asOf ?? 0) - 180 * minuteMs).toISOString().slice(0, 16);
    return `${instrument.ticker} ${sessionDate} ${low} ${high} ${last} ${instant}`;
  });
  return { quotes, closes, polls: server.requests.length };
}

/** The hour, in Buenos Aires, at which a source clears its counters. */
interface Clearing {
  readonly minuteOfDay: number;
}

/**
 * What a source shows of GGAL: the latest price for ever, and the number of trades of the day, which
 * is that of the day before until it is cleared.
 */
function shown(now: number, { minuteOfDay }: Clearing): { price: number; count: number } {
  const latest = trades.findLast(([instant]) => instant <= now);
  const clearedAt = startOfDay(now) + minuteOfDay * minuteMs;
  const isCleared = now >= clearedAt;
  const from = isCleared ? startOfDay(now) : startOfDay(now) - 3 * 86_400_000;
  const counted = trades.filter(([instant]) => instant >= from && instant <= now);
  return { price: latest?.[1] ?? 5_900, count: counted.length };
}

function startOfDay(now: number): number {
  return Math.floor((now - 180 * minuteMs) / 86_400_000) * 86_400_000 + 180 * minuteMs;
}

/** A panel as data912 plays it: a price carried forward for ever. */
function data912Panel(now: number, clearing: Clearing): unknown {
  const { price, count } = shown(now, clearing);
  return [
    { symbol: 'GGAL', c: price, v: count * 100, q_op: count, pct_change: 1 },
    { symbol: 'PAMP', c: 4_900, v: 0, q_op: 0, pct_change: 2.5 },
  ];
}

/** A panel as BYMA plays it, 20 minutes late: all numbers are 0 until the first trade of the day. */
function bymaPanel(realNow: number, clearing: Clearing): unknown {
  const now = realNow - 20 * minuteMs;
  const { price, count } = shown(now, clearing);
  const latest = trades.findLast(([instant]) => instant <= now)?.[0] ?? 0;
  const tradeHour = new Date(latest - 180 * minuteMs).toISOString().slice(11, 19);
  const row = { settlementType: '2', openingPrice: 0, tradingHighPrice: 0, tradingLowPrice: 0 };
  const none = { ...row, trade: 0, volume: 0, numberOfOrders: 0, closingPrice: 4_900 };
  const ggal = { ...row, trade: price, tradeHour, volume: count * 100, numberOfOrders: count };
  return {
    content: { total_elements_count: 2 },
    data: [
      { symbol: 'GGAL', ...(count === 0 ? none : ggal) },
      { symbol: 'PAMP', ...none },
    ],
  };
}

const beforeTheWeekend = at('20', '09:00');
const afterTheHoliday = at('24', '18:00');

const expected = {
  closes: ['GGAL 2026-11-20 6100 300', 'GGAL 2026-11-24 6300 100'],
  quotes: ['GGAL 2026-11-24 6300 6300 6300 2026-11-24T11:30'],
};

// Cleared before the open, and after it.
for (const minuteOfDay of [570, 640]) {
  const clearing = { minuteOfDay };

  test(`data912: every trade begins or continues its own session, and no other row does (cleared at minute ${minuteOfDay})`, async () => {
    const played = await play({
      type: data912Type,
      body: (now) => data912Panel(now, clearing),
      from: beforeTheWeekend,
      until: afterTheHoliday,
    });
    assert.deepEqual(played.closes, expected.closes);
    assert.deepEqual(played.quotes, expected.quotes);
  });

  test(`byma: every trade begins or continues its own session, and no other row does (cleared at minute ${minuteOfDay})`, async () => {
    const played = await play({
      type: bymaType,
      body: (now) => bymaPanel(now, clearing),
      from: beforeTheWeekend,
      until: afterTheHoliday,
    });
    assert.deepEqual(played.closes, expected.closes);
    assert.deepEqual(played.quotes, expected.quotes);
  });
}
