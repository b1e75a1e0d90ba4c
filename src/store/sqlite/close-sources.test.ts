import { test } from 'node:test';
import assert from 'node:assert/strict';

import { al30, close, put, readRows } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
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
