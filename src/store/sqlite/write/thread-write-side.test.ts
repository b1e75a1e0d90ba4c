import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { al30, allDays, close, mep } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { databaseFileName } from '../file/database-file.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { openThreadWriteSide, WriterThread, type WriterCall } from './thread-write-side.ts';
import type { WriteSide } from '../../contract/store.ts';
import { storedQuote } from '../../../../test/support/market/stored-quote.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { deferred } from '../../../../test/support/wait.ts';
import { testChange, testStamp } from '../../../../test/support/market/test-change.ts';

test('the calls of a thread that died are rejected as unavailable, and a retry succeeds', async (t) => {
  const { side, threads } = await openSide(t);
  const read = readBack(side);
  const committed = side.quotes.commit({ quotes: [], closes: [one(1)], storedAt: testChange.at });
  await threads.at(-1)?.terminate();
  const results = await Promise.allSettled([read, committed]);
  for (const result of results) if (result.status === 'rejected') isUnavailable(result.reason);
  await side.quotes.commit({ quotes: [], closes: [one(2)], storedAt: testChange.at });
  assert.deepEqual(await readBack(side), [one(2).close]);
  assert.equal(threads.length, 2);
});

test('when a thread dies within a transaction, it is rolled back and leaves no lock', async (t) => {
  const { side, threads } = await openSide(t);
  await assert.rejects(
    side.history.transaction(async (transaction) => {
      await transaction.put(al30, [close('2026-05-04', 1)]);
      await threads.at(-1)?.terminate();
      await transaction.put(mep, [close('2026-05-04', 1)]);
    }, testStamp),
    isUnavailable,
  );
  assert.deepEqual(await readBack(side), []);
  await side.quotes.commit({ quotes: [], closes: [one(2)], storedAt: testChange.at });
  assert.deepEqual(await readBack(side), [one(2).close]);
});

test('a transaction rejects when its thread dies before the commit', async (t) => {
  const { side, threads } = await openSide(t);
  await assert.rejects(
    side.history.transaction(async () => {
      await threads.at(-1)?.terminate();
    }, testStamp),
    isUnavailable,
  );
});

test('the fault of a database that cannot be opened reaches the caller, and no thread remains', async (t) => {
  const directory = await temporaryDirectory(t);
  const threads: WriterThread[] = [];
  const opening = openThreadWriteSide(() => {
    const thread = new WriterThread({ path: directory, busyWaitMs: 0 });
    threads.push(thread);
    return thread;
  });
  await assert.rejects(opening, isUnavailable);
  assert.deepEqual(
    threads.map(({ hasEnded }) => hasEnded),
    [true],
  );
});

test('a fault keeps its code and its cause between threads', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory, writer: 'worker', busyWaitMs: 0 });
  await using other = await openSqliteStore({ directory });
  await other.history.transaction(async () => {
    await assert.rejects(
      store.quotes.commit({ quotes: [], closes: [one(1)], storedAt: testChange.at }),
      (error) => {
        assert.ok(error instanceof StoreFault);
        assert.equal(error.code, 'busy');
        assert.ok(error.message.includes(directory));
        assert.ok(error.cause instanceof Error);
        return true;
      },
    );
  }, testStamp);
});

test('a closed store with a writing thread is one file, like any other store', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await openSqliteStore({ directory, writer: 'worker' });
  await store.quotes.commit({ quotes: [], closes: [one(1)], storedAt: testChange.at });
  await store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await assert.rejects(
    store.quotes.commit({ quotes: [], closes: [one(2)], storedAt: testChange.at }),
    /closed/,
  );
  await using again = await openSqliteStore({ directory, mode: 'read' });
  assert.equal((await again.history.readSeries(al30, allDays)).days.length, 1);
});

test('requests are answered while a commit of many quotes is handed over', async (t) => {
  const { side, threads } = await openSide(t);
  const [thread] = threads;
  assert.ok(thread !== undefined);
  const begin = thread.begin.bind(thread);
  let turns = 0;
  const turned = deferred<number>();
  t.mock.method(thread, 'begin', (call: WriterCall) => {
    turned.resolve(turns);
    return begin(call);
  });
  const quotes = Array.from({ length: 1_000 }, (_, index) =>
    storedQuote(`T${index}` as Ticker, index + 1),
  );
  const committed = side.quotes.commit({ quotes, closes: [] });
  let isHandedOver = false;
  const count = () => {
    turns += 1;
    if (!isHandedOver) setImmediate(count);
  };
  setImmediate(count);
  const turnsBefore = await turned.promise;
  // The counting ends before the assertion: otherwise a failure would keep the process alive.
  isHandedOver = true;
  await committed;
  assert.ok(turnsBefore >= 5, `${turnsBefore} turns`);
});

const onlyOnLinux = { skip: process.platform !== 'linux' && 'threads have no priority' };

test(
  'the writing thread has a lower priority than the thread that answers requests',
  onlyOnLinux,
  async (t) => {
    await openSide(t);
    const writers = readdirSync('/proc/self/task').filter((thread) =>
      readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith('store-writer'),
    );
    const own = getPriority();
    assert.deepEqual(writers.map(niceOf), [Math.min(own + 10, 19)]);
    assert.equal(niceOf(String(process.pid)), own);
  },
);

/** The nice value of a thread of this process. */
function niceOf(thread: string): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  // Field 19 of proc(5). The array starts with the third field.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

async function openSide(t: TestContext) {
  const directory = await temporaryDirectory(t);
  await (await openSqliteStore({ directory }))[Symbol.asyncDispose]();
  const path = join(directory, databaseFileName);
  const threads: WriterThread[] = [];
  const side = await openThreadWriteSide(() => {
    const thread = new WriterThread({ path, busyWaitMs: 1_000 });
    threads.push(thread);
    return thread;
  });
  t.after(() => side[Symbol.asyncDispose]());
  return { side, threads };
}

function one(value: number) {
  return { ticker: al30, close: close('2026-05-04', value) };
}

function readBack(side: WriteSide) {
  return side.history.transaction((transaction) => transaction.read(al30, allDays), testStamp);
}

function isUnavailable(error: unknown): true {
  assert.ok(error instanceof StoreFault, String(error));
  assert.equal(error.code, 'unavailable');
  return true;
}
