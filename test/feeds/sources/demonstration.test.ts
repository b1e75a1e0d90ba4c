import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { createSimulatedFeed } from '../../../src/feeds/simulated/simulated-feed.ts';
import { simulatedHistory } from '../../../src/feeds/simulated/simulated-history.ts';
import { silentLog } from '../../../src/lib/reports/log.ts';
import { HistoryAdopter } from '../../../src/pipeline/history/adopt-history.ts';
import { Ingest } from '../../../src/pipeline/live/ingest.ts';
import { Persist } from '../../../src/pipeline/live/persist.ts';
import { superviseFeeds } from '../../../src/pipeline/live/supervise-feeds.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { loadUniverse } from '../../../src/universe/load-universe.ts';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { deferred } from '../../support/wait.ts';
import { testClock, testStamp } from '../../support/market/test-change.ts';

const noon = Date.parse('2026-11-20T12:00:00-03:00');

test('in a simulated market every instrument has a quote, including derived ones', async (t) => {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../../universe'));
  assert.ok(loaded.ok);
  const { universe } = loaded;
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  await store.history.transaction(async (transaction) => {
    for (const { ticker, closes } of simulatedHistory(universe, {
      seed: 1,
      until: noon,
      source: 'x',
    })) {
      await transaction.put(ticker, closes.slice(-260));
    }
  }, testStamp);

  const engine = new Engine(universe, { settleDelayMs: 900_000, nextVersion: 1 });
  await using persist = new Persist({
    clock: testClock,
    quotes: store.quotes,
    publish: () => undefined,
    log: silentLog,
  });
  const { tickers } = await store.history.changesSince(0);
  await new HistoryAdopter({ engine, persist, history: store.history }).adopt(tickers);

  let now = noon;
  const clock = clockAt(() => now);
  const ended = deferred<void>();
  let pauses = 0;
  const feed = createSimulatedFeed(
    {
      type: 'simulated',
      name: 'demo',
      staleAfterSeconds: 60,
      seed: 1,
      updatesPerSecond: 50,
      alwaysOpen: false,
    },
    {
      universe,
      clock,
      async pause(ms, signal) {
        now += ms;
        pauses += 1;
        if (pauses < 20) return;
        ended.resolve();
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
        );
      },
    },
  );
  const supervisor = superviseFeeds({
    feeds: [feed],
    ingest: new Ingest({ engine, persist, clock }),
    universe,
    clock,
    random: () => 0.5,
    log: silentLog,
  });
  await ended.promise;
  const [state] = supervisor.states();
  await supervisor[Symbol.asyncDispose]();

  assert.equal(state?.phase, 'connected');
  assert.deepEqual([...(state?.updates.keys() ?? [])], ['accepted'], 'no update is refused');

  const quotes = new Map(
    engine.quotes().map((quote) => [quote.instrument.ticker as string, quote]),
  );
  assert.equal(quotes.size, universe.instruments.length);
  const quoteOf = (ticker: string): Quote => quotes.get(ticker) ?? assert.fail(ticker);
  for (const ticker of ['DOLAR MEP', 'DOLAR CCL', 'MEP-CCL', 'MERVAL USD', 'DOLAR TARJETA']) {
    const { sessionDate, previousClose } = quoteOf(ticker);
    assert.equal(sessionDate, '2026-11-20', `${ticker} follows its inputs`);
    assert.notEqual(previousClose, undefined, `${ticker} has its own history`);
  }
  for (const { instrument, change, monthToDatePct } of quotes.values()) {
    const isSmall = change === null || change.unit === 'points' || Math.abs(change.value) < 20;
    assert.ok(isSmall, `${instrument.ticker} changed by ${change?.value} %`);
    assert.equal(monthToDatePct === null, instrument.kind === 'spread', instrument.ticker);
  }
});
