import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { openPipeline } from '../../src/node/market/open-pipeline.ts';
import { CommitHealth, readinessOf } from '../../src/node/metrics/readiness.ts';
import { watchStaleFeeds } from '../../src/node/service/watch-all.ts';
import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  type EpochDay,
} from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { silentLog, type Log } from '../../src/lib/reports/log.ts';
import { superviseFeeds } from '../../src/pipeline/live/supervise-feeds.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { clockAt } from '../support/market/clock-at.ts';
import { until } from '../support/wait.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }]);
const ticker = 'GGAL' as Ticker;
const [instrument] = universe.instruments;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Noon on a Thursday in Buenos Aires, during the session. */
const noon = Date.parse('2026-11-19T12:00:00-03:00');

/** Starts a market with a real store, a clock that the test sets, and a source that pushes. */
async function startMarket(t: TestContext, log: Log = silentLog) {
  const directory = await temporaryDirectory(t);
  const cleanUp = new AsyncDisposableStack();
  t.after(() => cleanUp.disposeAsync());
  const time = { now: noon };
  const clock = clockAt(() => time.now);
  const store = cleanUp.use(await openSqliteStore({ directory }));
  const market = cleanUp.use(
    await openPipeline({ universe, store, clock, log, settleDelayMs: 15 * minuteMs }),
  );
  const feeds = cleanUp.use(
    superviseFeeds({
      feeds: [],
      pushed: [{ name: 'push', staleAfterMs: 60_000, markets: undefined }],
      ingest: market.ingest,
      universe,
      clock,
      random: Math.random,
      log,
    }),
  );
  return {
    time,
    feeds,
    push: (at: number, last: number) => feeds.intake('push').submit([{ ticker, at, last }]),
    shown: () => {
      const quote = instrument && market.board.quote(instrument);
      return quote && [quote.sessionDate, quote.last];
    },
    closes: async () => {
      const range = { from: firstEpochDay, to: lastEpochDay };
      const { days, closes } = await store.history.readSeries(ticker, range);
      return [...days].map((day, index) => [fromEpochDay(day as EpochDay), closes[index]]);
    },
    readiness: () =>
      readinessOf({
        quotes: 1,
        instruments: 1,
        commits: new CommitHealth(),
        feeds: feeds.states(),
      }),
  };
}

async function becomes(what: string, holds: () => Promise<boolean>): Promise<void> {
  await until(what, holds);
}

test('after a clock jumps an hour back, no quote is taken back, newer updates are refused and counted, and accepted once the clock is right', async (t) => {
  const { time, feeds, push, shown } = await startMarket(t);
  assert.deepEqual(await push(noon, 100), ['accepted']);
  time.now = noon - hourMs;
  assert.deepEqual(await push(noon + minuteMs, 101), [{ refused: 'in-future' }]);
  assert.deepEqual(shown(), ['2026-11-19', 100]);
  assert.equal(feeds.states()[0]?.updates.get('in-future'), 1);
  time.now = noon + 2 * minuteMs;
  assert.deepEqual(await push(noon + minuteMs, 101), ['accepted']);
  assert.deepEqual(shown(), ['2026-11-19', 101]);
});

test('a clock that jumps a day forward and back changes no quote, and the close is the last price of the session', async (t) => {
  const { time, push, shown, closes } = await startMarket(t);
  assert.deepEqual(await push(noon, 100), ['accepted']);
  time.now = noon + dayMs;
  // According to this clock the session is over.
  await becomes('a close', async () => (await closes()).length === 1);
  assert.deepEqual(shown(), ['2026-11-19', 100]);
  time.now = noon + minuteMs;
  assert.deepEqual(await push(time.now, 103), ['accepted']);
  assert.deepEqual(shown(), ['2026-11-19', 103]);
  time.now = Date.parse('2026-11-19T17:20:00-03:00');
  await becomes('the true close', async () => (await closes())[0]?.[1] === 103);
  assert.deepEqual(await closes(), [['2026-11-19', 103]]);
  assert.deepEqual(shown(), ['2026-11-19', 103]);
});

test('a source that is idle for an hour is reported as stale by readiness, its state and one log line, and the quote keeps its instant', async (t) => {
  const lines: string[] = [];
  const tell = (_details: object, message: string): void => void lines.push(message);
  const log = { ...silentLog, warn: tell, info: tell };
  const { time, feeds, push, shown, readiness } = await startMarket(t);
  const look = watchStaleFeeds(log);
  await push(noon, 100);
  look(feeds.states());
  assert.equal(readiness()['feeds']?.ok, true);
  for (let minutes = 1; minutes <= 60; minutes += 1) {
    time.now = noon + minutes * minuteMs;
    look(feeds.states());
  }
  assert.equal(feeds.states()[0]?.isStale, true);
  assert.deepEqual(readiness()['feeds'], {
    ok: false,
    reason: 'push: stale',
    cases: ['push: stale'],
  });
  assert.deepEqual(shown(), ['2026-11-19', 100]);
  await push(time.now, 101);
  look(feeds.states());
  assert.equal(readiness()['feeds']?.ok, true);
  assert.deepEqual(lines, ['feed stale', 'feed no longer stale']);
});
