import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../src/domain/calendar/session-calendar.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { Engine } from '../../src/engine/engine.ts';
import { createPoll } from '../../src/feeds/net/polled-feed.ts';
import { TradingHours } from '../../src/feeds/contract/trading-hours.ts';
import { at, latest } from '../support/market/drive-engine.ts';
import { makeUniverse, sketchMarkets } from '../support/market/make-universe.ts';

/** Contract 2.6.1 and 2.6.7: a polled source that is later than its market, over sessions and a weekend. */

const minuteMs = 60_000;
const delayMs = 20 * minuteMs;
const settleDelayMs = 15 * minuteMs;
const ticker = 'GGAL' as Ticker;
const universe = makeUniverse([{ ticker }]);
const byma = sketchMarkets.get('BYMA') ?? assert.fail('no market');
const calendar = new SessionCalendar(byma);

/** The price of the market at an instant: it changes every minute of a session, and then stays. */
function marketPrice(instant: number): number {
  const date = calendar.sessionAt(instant);
  const traded = Math.min(instant, calendar.closesAt(date)) - calendar.opensAt(date);
  return 1_000 + Number(date.slice(8, 10)) * 10 + Math.floor(traded / minuteMs) / 100;
}

interface Seen {
  readonly polledAt: number;
  readonly outcome: unknown;
  readonly asOf: number | undefined;
  readonly sessionDate: string | undefined;
}

/** Polls the source from one instant to another, and settles sessions as the service does. */
async function run(
  from: number,
  until: number,
): Promise<{ seen: Seen[]; closes: Map<number, number> }> {
  const engine = new Engine(universe, { settleDelayMs, nextVersion: 1 });
  const closes = new Map<number, number>();
  const seen: Seen[] = [];
  let now = from;
  const stopping = new AbortController();
  const poll = createPoll(
    {
      requests: [
        {
          request: () => ({ url: new URL('https://source.test/') }),
          map: ({ snapshotAt, text }) => ({
            updates: [{ ticker, at: snapshotAt, last: Number(text) }],
            rejected: [],
          }),
        },
      ],
      tickers: new Set([ticker]),
      hours: new TradingHours(universe, {
        markets: new Set(['BYMA']),
        graceMs: delayMs + 30 * minuteMs,
      }),
      pollSeconds: 60,
      closedPollSeconds: 3_600,
      delayMs,
    },
    {
      clock: { now: () => now, monotonic: () => now },
      random: () => 0,
      async pause(ms) {
        now += ms;
        if (now >= until) stopping.abort();
      },
      async fetch() {
        const text = String(marketPrice(now - delayMs));
        return { isUnchanged: false, text, contentType: 'text/plain', validators: {}, ageMs: 0 };
      },
    },
  );
  for await (const { updates } of poll(stopping.signal)) {
    const settled = engine.settle(now);
    const applied = engine.apply(updates, now);
    for (const { close } of [...settled.closes, ...applied.closes]) {
      closes.set(close.day, close.close);
    }
    const quote = latest(engine, ticker);
    const [outcome] = applied.outcomes;
    seen.push({ polledAt: now, outcome, asOf: quote?.asOf, sessionDate: quote?.sessionDate });
  }
  return { seen, closes };
}

test('contract 2.6.7: the close of a delayed source is the price of the close, although it arrives after the settle delay', async () => {
  // Friday to Wednesday: a weekend, and a holiday on Monday.
  const { seen, closes } = await run(at('2026-11-20', '09:00'), at('2026-11-25', '09:00'));
  const dates = ['2026-11-20', '2026-11-24'] as const;
  assert.deepEqual(
    [...closes.values()],
    dates.map((date) => marketPrice(calendar.closesAt(date as PlainDate))),
  );
  const justAfter = seen.find(({ polledAt }) => polledAt > at('2026-11-20', '17:15'));
  assert.equal(justAfter?.outcome, 'accepted', 'a snapshot of 16:56 at 17:16');
});

test('contract 2.6.1: snapshots of a delayed source from before the open and from after the hours change nothing', async () => {
  const { seen } = await run(at('2026-11-20', '09:00'), at('2026-11-25', '09:00'));
  for (const { polledAt, outcome, asOf, sessionDate } of seen) {
    const snapshotAt = polledAt - delayMs;
    const isWithin = calendar.isWithinSession(snapshotAt, settleDelayMs);
    assert.equal(outcome, isWithin ? 'accepted' : 'off-hours', new Date(polledAt).toISOString());
    if (asOf === undefined) continue;
    assert.ok(calendar.isWithinSession(asOf, settleDelayMs));
    assert.equal(calendar.sessionAt(asOf), sessionDate);
  }
  assert.ok(seen.some(({ outcome }) => outcome === 'off-hours'));
});
