import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { al30, close, put, readRows } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { createTables } from './schema/schema.ts';
import { prepareSources, SourceIds } from './write/put-closes.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { testStamp } from '../../../test/support/market/test-change.ts';

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
  createTables(database);
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
