import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { al30, allDays, close, put } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { firstChangeId } from '../../tables/closes.ts';
import { createTables } from '../schema/schema.ts';
import { databaseFileName } from '../file/database-file.ts';
import { SqliteConnection } from '../file/connection.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { CloseSeals } from './close-seals.ts';
import { sealOfChange } from './row-hash.ts';

test('a change is found by its id, the first one is of unknown origin, and a damaged one is refused', () => {
  using database = new DatabaseSync(':memory:', { returnArrays: true });
  createTables(database);
  const add = database.prepare('INSERT INTO changes (id, at, origin, seal) VALUES (?, ?, ?, ?)');
  add.run(2, 77, 'fetch', sealOfChange([2, 77, 'fetch']));
  add.run(3, 78, 'fetch', sealOfChange([3, 77, 'fetch']));
  const seals = new CloseSeals(new SqliteConnection(database, 'a.db'));
  const found = { at: 77, origin: 'fetch' } as const;
  seals.change(2, found);
  seals.change(2, found);
  const [first] = database.prepare('SELECT at, origin FROM changes WHERE id = 1').all();
  const [at, origin] = first as unknown as readonly [number, 'unknown'];
  assert.equal(origin, 'unknown');
  seals.change(firstChangeId, { at, origin });
  for (const [id, change] of [
    [3, { at: 78, origin: 'fetch' }],
    [4, found],
    [2, { at: 78, origin: 'fetch' }],
    [2, { at: 77, origin: 'import' }],
  ] as const) {
    assert.throws(() => seals.change(id, change), {
      code: 'corrupt',
      message: /the change [234] is not found/,
    });
  }
});

test('an instant that is damaged after it was read and verified is not given', async (t) => {
  const directory = await temporaryDirectory(t);
  {
    await using store = await openSqliteStore({ directory });
    await put(store, al30, [close('2026-05-04', 1)]);
    await put(store, al30, [close('2026-05-04', 2)]);
  }
  await using store = await openSqliteStore({ directory, mode: 'read' });
  const { memory } = store;
  const reads = [() => memory.knownSince(al30), () => memory.readCloses(al30, allDays)];
  for (const read of reads) await read();
  {
    using database = new DatabaseSync(join(directory, databaseFileName));
    database.exec('UPDATE changes SET at = at - 1000 WHERE id > 1');
  }
  for (const read of reads) await assert.rejects(read, { code: 'corrupt' });
});
