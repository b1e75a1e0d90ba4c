import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, allDays, close, put } from '../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../test/store/temporary-directory.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { trialStore } from './trial-store.ts';
import { testStamp } from '../../test/support/market/test-change.ts';

test('a dry run reads its own writes over the stored closes, and leaves the store unchanged', async (t) => {
  await using stored = await openSqliteStore({ directory: await temporaryDirectory(t) });
  await using scratch = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const before = [close('2026-05-04', 1), close('2026-05-06', 3)];
  await put(stored, al30, before);
  const corrected = close('2026-05-06', 4);
  const added = close('2026-05-05', 2);
  const trial = trialStore(stored, scratch);
  await trial.history.transaction(async (transaction) => {
    assert.deepEqual(await transaction.read(al30, allDays), before);
    await transaction.put(al30, [corrected, added]);
    const now = await transaction.read(al30, allDays);
    assert.deepEqual(now, [before[0], added, corrected]);
  }, testStamp);
  assert.deepEqual(await stored.history.readCloses(al30, allDays), before);
  assert.deepEqual(await scratch.history.readCloses(al30, allDays), []);
});
