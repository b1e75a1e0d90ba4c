import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { Engine } from '../../engine/engine.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { databaseFileName } from '../../store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/contract/store.ts';
import { HistoryAdopter } from './adopt-history.ts';
import { HistoryFollower } from './follow-history.ts';
import { Persist } from '../live/persist.ts';
import { until } from '../../../test/support/wait.ts';
import { testClock, testStamp } from '../../../test/support/market/test-change.ts';

const ticker = 'GGAL' as Ticker;
const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];

/** Passes the history of all instruments of a store to the engine. */
async function adoptAll(adopter: HistoryAdopter, { history }: Pick<Store, 'history'>) {
  await adopter.adopt((await history.changesSince(0)).tickers);
}

test('the previous close of a quote is the last one, even while that close is still being stored', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const commits: (() => void)[] = [];
  const quotes = {
    readAll: () => store.quotes.readAll(),
    commit: async (...args: Parameters<typeof store.quotes.commit>) => {
      await new Promise<void>((resolve) => commits.push(resolve));
      return store.quotes.commit(...args);
    },
  };
  const engine = new Engine(makeUniverse([{ ticker }]), { settleDelayMs: 0, nextVersion: 1 });
  const shown: Quote[] = [];
  const publish = (some: readonly Quote[]): void => void shown.push(...some);
  await using persist = new Persist({ clock: testClock, quotes, publish, log: silentLog });
  const adopter = new HistoryAdopter({ engine, persist, history: store.history });
  const push = (updates: readonly Update[]): Promise<void> =>
    persist.submit(engine.apply(updates, Date.parse('2026-11-20')));
  const sessions = days.map((day, index) => ({
    ticker,
    at: Date.parse(`${day}T12:00:00-03:00`),
    last: 100 + index,
  }));
  const letThrough = async (): Promise<void> => {
    await until('a commit begins', () => commits.length > 0, { everyTurn: true });
    commits.shift()?.();
  };

  // When history is read, two closes are in it, and the third is still being stored.
  const first = push(sessions.slice(0, 3));
  await letThrough();
  await first;
  const second = push(sessions.slice(3));
  const caughtUp = adoptAll(adopter, store);
  await letThrough();
  await second;
  let isDone = false;
  const done = caughtUp.then(() => (isDone = true));
  const finish = (): boolean => {
    commits.shift()?.();
    return isDone;
  };
  await until('history is caught up with', finish, { everyTurn: true });
  await done;

  assert.deepEqual(
    shown.map(({ last, previousClose }) => [last, previousClose]),
    [
      [102, 101],
      [103, 102],
    ],
  );
});

test('a session that an import replaces leaves its close, unless history has one for that day', async (t) => {
  const [overtaken, corrected] = ['GGAL', 'YPFD'] as [Ticker, Ticker];
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const universe = makeUniverse([{ ticker: overtaken }, { ticker: corrected }]);
  const engine = new Engine(universe, { settleDelayMs: 0, nextVersion: 1 });
  const shown: Quote[] = [];
  const publish = (some: readonly Quote[]): void => void shown.push(...some);
  await using persist = new Persist({
    clock: testClock,
    quotes: store.quotes,
    publish,
    log: silentLog,
  });
  const adopter = new HistoryAdopter({ engine, persist, history: store.history });
  const at = Date.parse('2026-11-18T16:30:00-03:00');
  const lasts = [overtaken, corrected].map((one) => ({ ticker: one, at, last: 100 }));
  await persist.submit(engine.apply(lasts, at));

  const [day, next] = ['2026-11-18', '2026-11-19'].map((date) => toEpochDay(date as PlainDate));
  if (day === undefined || next === undefined) throw new Error('two days');
  await store.history.transaction(async (transaction) => {
    await transaction.put(overtaken, [{ day: next, close: 120, volume: null }]);
    await transaction.put(corrected, [
      { day, close: 96, volume: null },
      { day: next, close: 120, volume: null },
    ]);
  }, testStamp);
  await adoptAll(adopter, store);

  const closes = await Promise.all(
    [overtaken, corrected].map((one) => store.history.readCloses(one, { from: day, to: next })),
  );
  assert.deepEqual(
    closes.map((some) => some.map(({ close }) => close)),
    [
      [100, 120],
      [96, 120],
    ],
  );
  assert.deepEqual(
    shown.slice(-2).map(({ last, previousClose }) => [last, previousClose]),
    [
      [120, 100],
      [120, 96],
    ],
  );
});

test('a session under way leaves no close while history has no close of its instrument', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const engine = new Engine(makeUniverse([{ ticker }]), { settleDelayMs: 0, nextVersion: 1 });
  await using persist = new Persist({
    clock: testClock,
    quotes: store.quotes,
    publish: () => undefined,
    log: silentLog,
  });
  const adopter = new HistoryAdopter({ engine, persist, history: store.history });
  const at = Date.parse('2026-11-20T12:00:00-03:00');
  await persist.submit(engine.apply([{ ticker, at, last: 100 }], at));
  const [from, to] = ['2026-11-19', '2026-11-20'].map((date) => toEpochDay(date as PlainDate));
  if (from === undefined || to === undefined) throw new Error('two days');
  await store.history.transaction(
    (transaction) => transaction.put(ticker, [{ day: from, close: 96, volume: null }]),
    testStamp,
  );
  // The instrument has changed and has no close.
  using database = new DatabaseSync(join(directory, databaseFileName));
  database.exec('DELETE FROM closes; DELETE FROM close_seals');

  await adoptAll(adopter, store);
  const closes = await store.history.readCloses(ticker, { from, to });
  assert.deepEqual(closes, []);
});

test('before the first update, quotes are the last closes of history, and caches are notified first', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const engine = new Engine(makeUniverse([{ ticker }]), { settleDelayMs: 0, nextVersion: 1 });
  const events: unknown[] = [];
  const publish = (some: readonly Quote[]): void =>
    void events.push(
      some.map(({ sessionDate, last, previousClose }) => [sessionDate, last, previousClose]),
    );
  await using persist = new Persist({
    clock: testClock,
    quotes: store.quotes,
    publish,
    log: silentLog,
  });
  const adopter = new HistoryAdopter({ engine, persist, history: store.history });
  const follower = new HistoryFollower(store, {
    revisions: { increase: (tickers) => void events.push(tickers) },
    adoptHistory: (tickers) => adopter.adopt(tickers),
  });
  const [day, next] = ['2026-11-18', '2026-11-19'].map((date) => toEpochDay(date as PlainDate));
  if (day === undefined || next === undefined) throw new Error('two days');
  await store.history.transaction(
    (transaction) =>
      transaction.put(ticker, [
        { day, close: 100, volume: null },
        { day: next, close: 120, volume: null },
      ]),
    testStamp,
  );
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(events, [[ticker], [['2026-11-19', 120, 100]]]);
});
