/**
 * POSIX locks belong to a process and a file. Closing any descriptor of the file releases all locks of
 * the process, and SQLite does not notice. Only other processes can observe the loss.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { al30, close } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { claimDirectory, isServed } from './health/claim-directory.ts';
import { openReader } from './file/connection.ts';
import { databaseFileName } from './file/database-file.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { openThreadWriteSide, WriterThread } from './write/thread-write-side.ts';
import { testChange } from '../../../test/support/market/test-change.ts';

/** Runs statements on a database in another process. Returns `done`, or the message of SQLite's error. */
async function inAnotherProcess(path: string, statements: string): Promise<string> {
  const script = `
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(process.argv[1], { timeout: 0 });
    try { database.exec(process.argv[2]); console.log('done'); }
    catch (error) { console.log(error.message); }
    database.close();`;
  const args = ['--input-type=module', '-e', script, path, statements];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}

/** The locks of this process on a file, as the kernel lists them. */
function locksOn(path: string): readonly string[] {
  const { ino } = statSync(path);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
    .map((line) => line.replace(/^\d+: /, ''));
}

const kernelLists = { skip: !existsSync('/proc/locks') && 'this system has no /proc/locks' };

test(
  'after its writing thread was replaced, a process still holds its locks on the database',
  kernelLists,
  async (t) => {
    const directory = await temporaryDirectory(t);
    await (await openSqliteStore({ directory }))[Symbol.asyncDispose]();
    const path = join(directory, databaseFileName);
    using reader = openReader(path);
    // A connection takes its lock at the first read, and holds it until it is closed.
    reader.prepare('SELECT count(*) FROM closes').get();
    const threads: WriterThread[] = [];
    const side = await openThreadWriteSide(() => {
      const thread = new WriterThread({ path, busyWaitMs: 1_000 });
      threads.push(thread);
      return thread;
    });
    t.after(() => side[Symbol.asyncDispose]());
    const commit = (value: number): Promise<unknown> =>
      side.quotes.commit({
        quotes: [],
        closes: [{ ticker: al30, close: close('2026-05-04', value) }],
        storedAt: testChange.at,
      });
    await commit(1);
    const held = locksOn(path);
    assert.equal(held.length, 1);
    await threads.at(-1)?.terminate();
    await commit(2);
    assert.equal(threads.length, 2);
    assert.deepEqual(locksOn(path), held);
  },
);

test(
  'opening a store twice in the same process releases no lock of the first one',
  kernelLists,
  async (t) => {
    const directory = await temporaryDirectory(t);
    await using _ = await openSqliteStore({ directory });
    const path = join(directory, databaseFileName);
    const held = locksOn(path);
    assert.equal(held.length, 1);
    await (await openSqliteStore({ directory }))[Symbol.asyncDispose]();
    assert.deepEqual(locksOn(path), held);
  },
);

test('a refused second claim, and checking whether a service runs, do not release a claim', async (t) => {
  const directory = await temporaryDirectory(t);
  using claim = claimDirectory(directory);
  assert.throws(() => claimDirectory(directory), { code: 'busy' });
  assert.equal(isServed(directory), true);
  const path = join(directory, 'serve.lock');
  assert.equal(await inAnotherProcess(path, 'BEGIN EXCLUSIVE'), 'database is locked');
  claim[Symbol.dispose]();
  assert.equal(isServed(directory), false);
  assert.equal(await inAnotherProcess(path, 'BEGIN EXCLUSIVE'), 'done');
});

test('checking whether a service runs creates no file', async (t) => {
  const directory = await temporaryDirectory(t);
  assert.equal(isServed(directory), false);
  assert.equal(isServed(join(directory, 'absent')), false);
  assert.deepEqual(await readdir(directory), []);
});
