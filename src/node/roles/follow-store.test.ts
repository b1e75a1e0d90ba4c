import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { deferred, until, within } from '../../../test/support/wait.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { noHints } from '../../store/contract/store.ts';
import type { QuoteStore } from '../../store/contract/quote-store.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { openPlace } from '../place/open-place.ts';
import { followStore } from './followed-site.ts';
import { LocalCopy } from './local-copy.ts';
import { changeAt, testChange, testStamp } from '../../../test/support/market/test-change.ts';

const ticker = 'GGAL' as Ticker;
const universe = makeUniverse([{ ticker }]);

function quote(version: number): StoredQuote {
  const sessionDate = '2026-11-20' as PlainDate;
  const live = { openAt: null, isInHistory: false, historyClose: null };
  return {
    ticker,
    version,
    session: { sessionDate, last: version, volume: 0, ...live },
    references: {},
  };
}

function versionsOf(shown: readonly Quote[]): readonly number[] {
  return shown.map(({ version }) => version);
}

test('a copy has closes, actions, indices, quotes and keys, follows changes, and is found whole by the next process', async (t) => {
  await using source = openPlace(await temporaryDirectory(t));
  await using store = await source.open({ mode: 'create' });
  await using place = openPlace(await temporaryDirectory(t));
  const options = { log: silentLog, clock: systemClock };
  const split = { ticker, exDay: 20_000, type: 'split', factor: 10, source: 'x' } as never;
  {
    await using copy = await LocalCopy.open(place, options);
    assert.deepEqual([copy.isComplete, await copy.keys()], [false, undefined]);
    await store.keys.insert(
      { id: 'k', name: 'k', scope: 'read', sha256: 'f'.repeat(64), createdAt: 0 },
      'test',
    );
    await store.quotes.commit({ quotes: [quote(7)], closes: [] });
    await store.actions.apply({ put: [split], remove: [] }, testChange);
    const day = 20_000 as never;
    await store.history.transaction(
      (one) => one.put(ticker, [{ day, close: 1, volume: null }]),
      testStamp,
    );
    const cer = { index: 'CER', day, source: 'x' } as const;
    await store.indices.put([{ ...cer, value: 1 }], changeAt(1));
    await copy.update(store);
    assert.equal(copy.isComplete, true);
    await store.history.transaction(
      (one) => one.put(ticker, [{ day, close: 2, volume: null }]),
      testStamp,
    );
    await store.actions.apply({ put: [], remove: [split] }, testChange);
    await store.keys.change('k', { type: 'revoke' }, { who: 'test', at: 5 });
    await store.quotes.commit({ quotes: [quote(8)], closes: [] });
    await store.indices.put([{ ...cer, value: 2 }], changeAt(2));
    await copy.update(store);
  }
  await using copy = await LocalCopy.open(place, options);
  assert.equal(copy.isComplete, true);
  assert.ok(copy.ageMs >= 0 && copy.ageMs < 60_000);
  assert.equal((await copy.keys())?.keys[0]?.revokedAt, 5);
  assert.deepEqual((await copy.store.actions.readAll()).actions, []);
  const { values } = await copy.store.indices.readAll();
  assert.deepEqual(
    values.map(({ value, storedAt }) => [value, storedAt]),
    [[2, 2]],
  );
  const range = { from: 0, to: 30_000 } as never;
  assert.deepEqual(
    (await copy.store.history.readCloses(ticker, range)).map(({ close }) => close),
    [2],
  );
  assert.deepEqual(await copy.store.quotes.readAll(), [quote(8)]);
});

test('from a copy, a node starts without the store, follows it later, and stops while it does not respond', async (t) => {
  await using source = openPlace(await temporaryDirectory(t));
  await using store = await source.open({ mode: 'create' });
  await store.quotes.commit({ quotes: [quote(1)], closes: [] });
  await using place = openPlace(await temporaryDirectory(t));
  await using copy = await LocalCopy.open(place, { log: silentLog, clock: systemClock });
  await copy.update(store);
  await store.quotes.commit({ quotes: [quote(2)], closes: [] });

  let mode: 'down' | 'frozen' | 'up' = 'down';
  let asked = 0;
  const frozen = deferred<readonly StoredQuote[]>();
  const quotes: QuoteStore = {
    readAll: () => store.quotes.readAll(),
    commit: (commit) => store.quotes.commit(commit),
    readNewer: (version) => {
      asked += 1;
      if (mode === 'down') return Promise.reject(new StoreFault('unavailable', 'down'));
      return mode === 'up' ? store.quotes.readNewer(version) : frozen.promise;
    },
  };
  const start = async (shown: Quote[]) =>
    followStore({
      store: { quotes, hints: noHints },
      copy,
      universe,
      publish: (newer) => void shown.push(...newer),
      clock: systemClock,
      log: silentLog,
    });
  {
    const shown: Quote[] = [];
    await using followed = await start(shown);
    assert.deepEqual(versionsOf(shown), [1]);
    assert.ok(followed.ageMs < 60_000);
    mode = 'up';
    await until('it follows', () => shown.length === 2);
    assert.deepEqual(versionsOf(shown), [1, 2]);
  }
  mode = 'down';
  const followed = await start([]);
  mode = 'frozen';
  const before = asked;
  await until('it asks', () => asked > before);
  await within('stopped', Promise.resolve(followed[Symbol.asyncDispose]()));
  // The store of a node rejects what is under way when it is closed.
  frozen.reject(new StoreFault('unavailable', 'closed'));
});
