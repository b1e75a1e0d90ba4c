import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { al30, allDays, close, ggal, put } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import type { PlainDate } from '../../../domain/calendar/plain-date.ts';
import type { LiveSession } from '../../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { StoreFault, type StoreFaultCode } from '../../contract/store-fault.ts';
import { backUpSqliteStore, restoreSqliteStore } from './backup.ts';
import { claimDirectory } from './claim-directory.ts';
import { databaseFileName } from '../file/database-file.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { testStamp } from '../../../../test/support/market/test-change.ts';

async function faultsWith(work: Promise<unknown>, code: StoreFaultCode, text: RegExp) {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof StoreFault, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
    return true;
  });
}

test('a restored backup has the content that the open store had when it was backed up, and its memory of changes', async (t) => {
  const directory = await temporaryDirectory(t);
  const [data, file, elsewhere] = ['data', 'one.backup', 'new/data'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  await using store = await openSqliteStore({ directory: data });
  await put(store, al30, [{ ...close('2026-11-19', 70_000.5, 12), open: 1, high: 2, low: 0.5 }]);
  await put(store, al30, [close('2026-11-19', 70_001)]);
  const memory = await store.memory.readCloses(al30, allDays);
  const { rows, bytes } = await backUpSqliteStore({ directory: data, file });
  assert.deepEqual([rows['closes'], rows['replaced_closes'], rows['instruments']], [1, 1, 1]);
  assert.equal(bytes, (await stat(file)).size);
  assert.equal((await stat(file)).mode & 0o777, 0o600);

  // Later changes are not in the backup.
  await put(store, ggal, [close('2026-11-19', 5)]);
  const restored = await restoreSqliteStore({ directory: elsewhere, file, now: Date.now() });
  assert.deepEqual(restored.rows, rows);
  await using again = await openSqliteStore({ directory: elsewhere });
  assert.deepEqual(
    await again.history.readCloses(al30, allDays),
    await store.history.readCloses(al30, allDays),
  );
  assert.deepEqual(await again.memory.readCloses(al30, allDays), memory);
  assert.equal(memory.length, 2);
  assert.deepEqual(await again.history.readCloses(ggal, allDays), []);
});

/** The versions of the quotes in a data directory. */
async function versionsIn(where: string): Promise<readonly (readonly [string, number])[]> {
  await using store = await openSqliteStore({ directory: where });
  return (await store.quotes.readAll()).map(({ ticker, version }) => [ticker, version]);
}

test('restored quotes have versions above all versions assigned since the backup, in the same order', async (t) => {
  const directory = await temporaryDirectory(t);
  const [data, file, elsewhere, again] = ['data', 'one.backup', 'other', 'again'].map((name) =>
    join(directory, name),
  ) as [string, string, string, string];
  await using store = await openSqliteStore({ directory: data });
  const session: LiveSession = {
    sessionDate: '2026-11-20' as PlainDate,
    last: 1,
    volume: null,
    openAt: null,
    isInHistory: false,
    historyClose: null,
  };
  const stored = (ticker: Ticker, version: number) => ({
    ticker,
    version,
    session,
    references: {},
  });
  await store.quotes.commit({ quotes: [stored(al30, 7), stored(ggal, 5)], closes: [] });
  await backUpSqliteStore({ directory: data, file });

  await restoreSqliteStore({ directory: elsewhere, file, now: 2_000.5 });
  assert.deepEqual(await versionsIn(elsewhere), [
    [al30, 200_050],
    [ggal, 200_048],
  ]);
  // A wrong clock lowers no version.
  await restoreSqliteStore({ directory: again, file, now: 0 });
  assert.deepEqual(await versionsIn(again), [
    [al30, 7],
    [ggal, 5],
  ]);
});

test('a backup is of one instant with all fields of the closes, even while the store is written', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory, writer: 'worker' });
  // Both instruments change in the same transaction, so their closes are equal at any instant.
  const write = (value: number) =>
    store.history.transaction(async (transaction) => {
      await transaction.put(al30, [{ ...close('2026-11-19', value), open: 1, source: 'one' }]);
      await transaction.put(ggal, [{ ...close('2026-11-19', value), open: 1, source: 'one' }]);
    }, testStamp);
  await write(1);
  const done = new AbortController();
  const writing = (async () => {
    for (let value = 2; !done.signal.aborted; value += 1) await write(value);
  })();
  for (const name of ['a', 'b', 'c']) {
    const file = join(directory, name);
    await backUpSqliteStore({ directory, file });
    const copy = join(directory, `of-${name}`);
    await restoreSqliteStore({ directory: copy, file, now: Date.now() });
    await using restored = await openSqliteStore({ directory: copy });
    const [one, other] = await Promise.all(
      [al30, ggal].map((ticker) => restored.history.readCloses(ticker, allDays)),
    );
    assert.deepEqual(one, other);
    assert.deepEqual([one?.[0]?.open, one?.[0]?.source], [1, 'one']);
  }
  done.abort();
  await writing;
});

test('neither a backup nor a restore overwrites a file or leaves an incomplete one', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'precious');
  await writeFile(file, 'precious');
  const data = join(directory, 'data');
  {
    await using _ = await openSqliteStore({ directory: data });
  }
  await faultsWith(backUpSqliteStore({ directory: data, file }), 'conflict', /already exists/);
  assert.equal(await readFile(file, 'utf8'), 'precious');
  const backup = join(directory, 'backup');
  await backUpSqliteStore({ directory: data, file: backup });
  await faultsWith(
    restoreSqliteStore({ directory: data, file: backup, now: Date.now() }),
    'conflict',
    /pizarra\.db already exists.*Move it away/,
  );
  await faultsWith(
    backUpSqliteStore({ directory: data, file: join(directory, 'no', 'such', 'directory') }),
    'unavailable',
    /no such file or directory/,
  );
  assert.deepEqual((await readdir(directory)).toSorted(), ['backup', 'data', 'precious']);
});

test('a restore is refused while the log of a missing database exists', async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, 'data');
  {
    await using _ = await openSqliteStore({ directory: data });
  }
  const file = join(directory, 'backup');
  await backUpSqliteStore({ directory: data, file });
  const other = join(directory, 'other');
  await mkdir(other);
  await writeFile(join(other, `${databaseFileName}-wal`), 'left over');
  await faultsWith(
    restoreSqliteStore({ directory: other, file, now: Date.now() }),
    'conflict',
    /-wal already exists/,
  );
});

test('a restore into the data directory of a running service is refused', async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, 'data');
  {
    await using _ = await openSqliteStore({ directory: data });
  }
  const file = join(directory, 'backup');
  await backUpSqliteStore({ directory: data, file });
  const served = join(directory, 'served');
  await mkdir(served);
  using _ = claimDirectory(served);
  await faultsWith(
    restoreSqliteStore({ directory: served, file, now: Date.now() }),
    'busy',
    /runs on/,
  );
});

test('a damaged, foreign, empty, newer or missing backup is refused with a message, and no file is created', async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, 'data');
  {
    await using store = await openSqliteStore({ directory: data });
    const days = Array.from({ length: 28 }, (_, at) => String(at + 1).padStart(2, '0'));
    for (const year of [2024, 2025, 2026]) {
      await put(
        store,
        al30,
        days.map((day) => close(`${year}-05-${day}`, Number(day))),
      );
    }
  }
  const sound = join(directory, 'sound');
  await backUpSqliteStore({ directory: data, file: sound });
  const bytes = await readFile(sound);

  const variants: [string, (path: string) => Promise<void>, StoreFaultCode, RegExp][] = [
    [
      'damaged',
      (path) => writeFile(path, Buffer.concat([bytes.subarray(0, 4096), bytes.subarray(8192)])),
      'corrupt',
      /damaged/,
    ],
    ['cut', (path) => writeFile(path, bytes.subarray(0, -4096)), 'corrupt', /damaged/],
    ['text', (path) => writeFile(path, 'ticker,date\n'.repeat(1000)), 'corrupt', /not a database/],
    ['empty', (path) => writeFile(path, ''), 'corrupt', /not a backup/],
    ['foreign', (path) => foreign(path), 'corrupt', /of another program, not of Pizarra/],
    ['newer', (path) => newer(sound, path), 'schema-newer', /newer version of Pizarra/],
    ['missing', () => Promise.resolve(), 'unavailable', /does not exist/],
  ];
  for (const [name, make, code, text] of variants) {
    const file = join(directory, name);
    await make(file);
    const target = join(directory, `for-${name}`);
    await faultsWith(restoreSqliteStore({ directory: target, file, now: Date.now() }), code, text);
    const left = await readdir(target).catch(() => []);
    assert.deepEqual(
      left.filter((one) => one !== 'serve.lock'),
      [],
      name,
    );
  }
});

test('a damaged database is not backed up', async (t) => {
  const directory = await temporaryDirectory(t);
  {
    await using store = await openSqliteStore({ directory });
    await put(
      store,
      al30,
      Array.from({ length: 28 }, (_, at) => close(`2026-05-${String(at + 1).padStart(2, '0')}`, 1)),
    );
  }
  const path = join(directory, databaseFileName);
  const bytes = await readFile(path);
  bytes.fill(0xff, 2 * 4096, 2 * 4096 + 64);
  await writeFile(path, bytes);
  const file = join(directory, 'backup');
  await faultsWith(backUpSqliteStore({ directory, file }), 'corrupt', /damaged/);
  assert.ok(!(await readdir(directory)).includes('backup'));
});

async function foreign(path: string): Promise<void> {
  using database = new DatabaseSync(path);
  database.exec('CREATE TABLE notes (text TEXT)');
}

async function newer(sound: string, path: string): Promise<void> {
  await copyFile(sound, path);
  using database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 9999');
}

test(
  'a pipe is refused as a backup at once, and nothing is created',
  { skip: process.platform === 'win32' && 'there are no pipes' },
  async (t) => {
    const directory = await temporaryDirectory(t);
    const [file, target] = [join(directory, 'pipe'), join(directory, 'target')];
    execFileSync('mkfifo', [file]);
    await assert.rejects(restoreSqliteStore({ directory: target, file, now: 0 }), {
      code: 'unavailable',
      message: /pipe is not a regular file\. Name a file that "pizarra backup" has written/,
    });
    assert.deepEqual(await readdir(directory), ['pipe']);
  },
);
