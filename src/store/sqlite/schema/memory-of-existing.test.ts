import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { al30, allDays, close, ggal, put } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { changeAt, testChange } from '../../../../test/support/market/test-change.ts';
import { databaseFileName } from '../file/database-file.ts';
import { checkPages } from '../guard/check-pages.ts';
import { claimDirectory } from '../guard/claim-directory.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

/** Number of migrations before seals, and before the memory of changes existed. */
const [beforeSeals, before] = [7, 9];

/** A database as the version before the memory has left it. */
function writeOlder(path: string): void {
  using older = new DatabaseSync(path);
  migrate(older, path, migrations.slice(0, beforeSeals));
  older.exec(`
    INSERT INTO sources VALUES (1, 'byma');
    INSERT INTO instruments (id, ticker, closes_revision) VALUES (1, 'AL30', 1);
    INSERT INTO closes VALUES (1, 20000, 1.5, 7, NULL, NULL, NULL, 1), (1, 20001, 2.5, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO corporate_actions VALUES ('AL30', 20001, 'split', 2, NULL, NULL, NULL, 'x');
    UPDATE revisions SET value = 1;
  `);
  migrate(older, path, migrations.slice(0, before));
}

test('what an older version stored is known, of unknown origin, since the upgrade', async (t) => {
  const directory = await temporaryDirectory(t);
  writeOlder(join(directory, databaseFileName));
  using claim = claimDirectory(directory);
  await using store = await openSqliteStore({ directory, claim });
  const began = await store.memory.began();
  assert.ok(began !== undefined);
  const stored = { at: began, origin: 'unknown' };
  const [one, two] = await store.history.readCloses(al30, allDays);
  assert.deepEqual(await store.memory.readCloses(al30, allDays), [
    { value: one, stored },
    { value: two, stored },
  ]);
  assert.equal(await store.memory.knownSince(al30), began);
  const [split] = (await store.actions.readAll()).actions;
  assert.ok(split !== undefined);
  assert.deepEqual(await store.memory.readActions(), [{ value: split, stored }]);

  // Later changes keep what they replace, and the seals of older rows stay right.
  const day = one?.day ?? 0;
  await put(store, al30, [{ ...close('2026-05-04', 9), day: day as never }]);
  await store.actions.apply({ put: [], remove: [split] }, changeAt(began + 1));
  const [first] = await store.memory.readCloses(al30, allDays);
  assert.deepEqual(first, { value: one, stored, replaced: testChange });
  assert.deepEqual(await store.memory.readActions(), [
    { value: split, stored, replaced: changeAt(began + 1) },
  ]);
  await put(store, ggal, [close('2026-05-04', 1)]);
  assert.equal(await store.memory.knownSince(ggal), testChange.at);
  await checkPages(directory, t.signal);
});
