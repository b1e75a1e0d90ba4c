import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { al30, allDays, close, put } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { StoreFault, type StoreFaultCode } from '../contract/store-fault.ts';
import { openWriter, useWriteAheadLog } from './file/connection.ts';
import { databaseFileName } from './file/database-file.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { deferred } from '../../../test/support/wait.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

test('only their owner can access the data directory and the files in it', async (t) => {
  const directory = join(await temporaryDirectory(t), 'new', 'data');
  await using store = await openSqliteStore({ directory });
  await put(store, al30, [close('2026-05-04', 1)]);
  assert.equal(await modeOf(directory), 0o700);
  const files = await readdir(directory);
  assert.deepEqual(files.sort(), [
    'pizarra.db',
    'pizarra.db-mark',
    'pizarra.db-shm',
    'pizarra.db-wal',
  ]);
  for (const file of files) assert.equal(await modeOf(join(directory, file)), 0o600, file);
});

test('the mode of an existing data directory is not changed', async (t) => {
  const directory = await temporaryDirectory(t);
  await chmod(directory, 0o750);
  await using _ = await openSqliteStore({ directory });
  assert.equal(await modeOf(directory), 0o750);
});

test('a closed store is one file with all data, and its mark', async (t) => {
  const directory = await temporaryDirectory(t);
  {
    await using store = await openSqliteStore({ directory });
    await put(store, al30, [close('2026-05-04', 1)]);
  }
  assert.deepEqual(await readdir(directory), ['pizarra.db', 'pizarra.db-mark']);
  using database = new DatabaseSync(join(directory, databaseFileName), { readOnly: true });
  assert.equal(database.prepare('SELECT count(*) AS n FROM closes').get()?.['n'], 1);
});

test('every commit is synced: the writer runs with synchronous = FULL in WAL', async (t) => {
  const path = join(await temporaryDirectory(t), databaseFileName);
  using writer = openWriter(path);
  useWriteAheadLog(writer, path);
  assert.deepEqual(Object.values(writer.prepare('PRAGMA synchronous').get() ?? {}), [2]);
  assert.deepEqual(Object.values(writer.prepare('PRAGMA journal_mode').get() ?? {}), ['wal']);
});

test('a creation that was interrupted in its first transaction is rolled back and repeated', async (t) => {
  const [directory, elsewhere] = [await temporaryDirectory(t), await temporaryDirectory(t)];
  const path = join(directory, databaseFileName);
  using unfinished = new DatabaseSync(join(elsewhere, 'a.db'));
  // With a cache of one page, SQLite writes the journal and pages before the transaction ends.
  unfinished.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (x)');
  const insert = unfinished.prepare('INSERT INTO half VALUES (randomblob(2000))');
  for (let row = 0; row < 50; row += 1) insert.run();
  await cp(join(elsewhere, 'a.db'), path);
  await cp(join(elsewhere, 'a.db-journal'), `${path}-journal`);
  assert.ok((await stat(path)).size > 0);
  await using store = await openSqliteStore({ directory });
  assert.deepEqual((await store.keys.readAll()).keys, []);
});

test('a data directory below a regular file is unavailable, and the message names it', async (t) => {
  const file = join(await temporaryDirectory(t), 'file');
  await writeFile(file, '');
  const directory = join(file, 'data');
  await rejectsWith(openSqliteStore({ directory }), 'unavailable', directory);
});

test('a directory in place of the database file is unavailable', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, databaseFileName));
  await rejectsWith(openSqliteStore({ directory }), 'unavailable', directory);
});

test('a file of garbage is corrupt and not changed', async (t) => {
  for (const garbage of [randomBytes(20_000), Buffer.from('ticker,close\nAL30,1\n')]) {
    const directory = await temporaryDirectory(t);
    const path = join(directory, databaseFileName);
    await writeFile(path, garbage);
    await rejectsWith(openSqliteStore({ directory }), 'corrupt', path);
    await rejectsWith(openSqliteStore({ directory, mode: 'read' }), 'corrupt', path);
    assert.deepEqual(await readFile(path), garbage);
  }
});

test('a truncated file is corrupt', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  await (await openSqliteStore({ directory }))[Symbol.asyncDispose]();
  const { size } = await stat(path);
  await truncate(path, size - 4096);
  await rejectsWith(openSqliteStore({ directory }), 'corrupt', path);
});

test('an emptied file beside its log is corrupt, and the log is not changed', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  await writeFile(path, '');
  await writeFile(`${path}-wal`, 'frames');
  await rejectsWith(openSqliteStore({ directory }), 'corrupt', path);
  assert.equal(await readFile(`${path}-wal`, 'utf8'), 'frames');
});

test('a page damaged after opening gives a fault when it is read, never a result', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  const days = Array.from({ length: 20_000 }, (_, index) => ({
    ...close('2026-05-04', index),
    day: (index - 10_000) as typeof allDays.from,
  }));
  {
    await using store = await openSqliteStore({ directory });
    await put(store, al30, days);
  }
  const bytes = await readFile(path);
  // Overwrite every page except the first 32, which contain the schema and the small tables.
  bytes.fill(0xff, 32 * 4096);
  await writeFile(path, bytes);
  await using store = await openSqliteStore({ directory });
  await rejectsWith(store.history.readSeries(al30, allDays), 'corrupt', path);
});

test('a store with a newer schema is refused and not changed', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  await (await openSqliteStore({ directory }))[Symbol.asyncDispose]();
  {
    using database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 999');
  }
  const before = await readFile(path);
  await rejectsWith(openSqliteStore({ directory }), 'schema-newer', path);
  await rejectsWith(openSqliteStore({ directory, mode: 'read' }), 'schema-newer', path);
  assert.deepEqual(await readFile(path), before);
});

test('a store opened for reading creates nothing, reads everything and writes nothing', async (t) => {
  const directory = join(await temporaryDirectory(t), 'data');
  for (const mode of ['read', 'write'] as const) {
    await rejectsWith(openSqliteStore({ directory, mode }), 'absent', directory);
    await assert.rejects(stat(directory), { code: 'ENOENT' });
  }
  await using writing = await openSqliteStore({ directory });
  await put(writing, al30, [close('2026-05-04', 1)]);
  await using reading = await openSqliteStore({ directory, mode: 'read' });
  assert.equal((await reading.history.readSeries(al30, allDays)).days.length, 1);
  await put(writing, al30, [close('2026-05-05', 2)]);
  assert.equal((await reading.history.readSeries(al30, allDays)).days.length, 2);
  await rejectsWith(put(reading, al30, [close('2026-05-06', 3)]), 'unavailable', directory);
  await rejectsWith(
    reading.keys.change('a', { type: 'revoke' }, { who: 'x', at: 1 }),
    'unavailable',
    directory,
  );
  await rejectsWith(reading.quotes.commit({ quotes: [], closes: [] }), 'unavailable', directory);
});

test('a lock held for too long is a fault "busy", and readers do not notice it', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory, busyWaitMs: 30 });
  using other = new DatabaseSync(join(directory, databaseFileName));
  other.exec('BEGIN IMMEDIATE');
  await rejectsWith(put(store, al30, [close('2026-05-04', 1)]), 'busy', directory);
  assert.equal((await store.history.latestCloses([al30])).size, 0);
  other.exec('ROLLBACK');
  await put(store, al30, [close('2026-05-04', 1)]);
});

test('a transaction beyond the maximum number of queued ones is refused as busy', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const gate = deferred<void>();
  const waiting = Array.from({ length: 1000 }, () =>
    store.history.transaction(() => gate.promise, testStamp),
  );
  await rejectsWith(put(store, al30, [close('2026-05-04', 1)]), 'busy', directory);
  gate.resolve();
  await Promise.all(waiting);
  await put(store, al30, [close('2026-05-04', 1)]);
});

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

async function rejectsWith(
  promise: Promise<unknown>,
  code: StoreFaultCode,
  named: string,
): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof StoreFault, String(error));
    assert.equal(error.code, code);
    assert.ok(error.message.includes(named), error.message);
    assert.ok(!error.message.includes('\n'));
    return true;
  });
}
