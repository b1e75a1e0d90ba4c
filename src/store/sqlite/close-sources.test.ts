import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { al30, close, put, readRows } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { claimDirectory } from './guard/claim-directory.ts';
import { migrate } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';
import { prepareSources, SourceIds } from './rows/source-ids.ts';
import { databaseFileName } from './file/database-file.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

/** Number of migrations before sources of closes existed. */
const before = 4;

test('closes that an older version stored are kept without a source, and their rows are not rewritten', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  const { day } = close('2026-05-04', 0);
  {
    using older = new DatabaseSync(path);
    migrate(older, path, migrations.slice(0, before));
    older.exec(`
      INSERT INTO instruments (id, ticker, closes_revision) VALUES (1, 'AL30', 1);
      INSERT INTO closes VALUES (1, ${day}, 1.5, 7, 1, 2, 0.5), (1, ${day + 1}, 2, NULL, NULL, NULL, NULL);
      UPDATE revisions SET value = 1 WHERE subject = 'closes';
    `);
  }
  using claim = claimDirectory(directory);
  await using store = await openSqliteStore({ directory, claim });
  const first = { ...close('2026-05-04', 1.5, 7), open: 1, high: 2, low: 0.5 };
  assert.deepEqual(await readRows(store, al30), [first, close('2026-05-05', 2)]);
  assert.equal((await store.history.changesSince(0)).revision, 1);
  const changed = { ...close('2026-05-05', 3), source: 'data912' };
  await put(store, al30, [changed]);
  assert.deepEqual(await readRows(store, al30), [first, changed]);
});

test('a source whose first transaction was rolled back gets an id in the next one', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const one = { ...close('2026-05-04', 1), source: 'one' };
  const failed = store.history.transaction(async (transaction) => {
    await transaction.put(al30, [one]);
    throw new Error('undone');
  }, testStamp);
  await assert.rejects(failed, /undone/);
  const two = { ...close('2026-05-05', 2), source: 'two' };
  await put(store, al30, [two]);
  await put(store, al30, [one]);
  assert.deepEqual(await readRows(store, al30), [one, two]);
});

test('a source has one id, and one that is not known has none', () => {
  using database = new DatabaseSync(':memory:', { returnArrays: true });
  migrate(database, ':memory:', migrations);
  const statements = prepareSources(database);
  const ids = new SourceIds(statements);
  assert.equal(ids.of(undefined), null);
  assert.deepEqual([ids.of('one'), ids.of('two'), ids.of('one')], [1, 2, 1]);
  const others = new SourceIds(statements);
  assert.deepEqual([others.of('two'), others.of('three'), others.of('one')], [2, 3, 1]);
});

test('the cache of ids has at most 10,000, and the ids stay the same when it is cleared', () => {
  let lookedUp = 0;
  const ids = new SourceIds({
    add: { run: () => assert.fail('every source exists') },
    find: {
      get: (name: string) => {
        lookedUp += 1;
        return [Number(name)];
      },
    },
  } as unknown as ReturnType<typeof prepareSources>);
  const lookUp = (name: number): number => {
    const start = lookedUp;
    assert.equal(ids.of(String(name)), name);
    return lookedUp - start;
  };
  for (let name = 1; name <= 10_000; name += 1) assert.equal(lookUp(name), 1);
  assert.equal(lookUp(1), 0);
  assert.equal(lookUp(10_000), 0);
  assert.equal(lookUp(10_001), 1);
  assert.equal(lookUp(10_001), 0);
  assert.equal(lookUp(1), 1);
});
