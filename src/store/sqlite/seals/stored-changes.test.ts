import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { createTables, firstChangeId } from '../schema/schema.ts';
import { sealOfChange } from './row-hash.ts';
import { StoredChanges } from './stored-changes.ts';

test('a change is found by its id, the first one is of unknown origin, and a damaged one is refused', () => {
  using database = new DatabaseSync(':memory:', { returnArrays: true });
  createTables(database);
  const add = database.prepare('INSERT INTO changes (id, at, origin, seal) VALUES (?, ?, ?, ?)');
  add.run(2, 77, 'fetch', sealOfChange([2, 77, 'fetch']));
  add.run(3, 78, 'fetch', sealOfChange([3, 77, 'fetch']));
  const changes = new StoredChanges(database, 'a.db');
  assert.deepEqual(changes.of(2), { at: 77, origin: 'fetch' });
  assert.deepEqual(changes.of(2), { at: 77, origin: 'fetch' }, 'from memory');
  assert.equal(changes.of(firstChangeId).origin, 'unknown');
  for (const id of [3, 4]) {
    assert.throws(() => changes.of(id), {
      code: 'corrupt',
      message: /the change [34] is not found/,
    });
  }
});
