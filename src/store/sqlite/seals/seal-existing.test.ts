import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { al30, allDays, close, put } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { databaseFileName } from '../file/database-file.ts';
import { checkPages } from '../guard/check-pages.ts';
import { claimDirectory } from '../guard/claim-directory.ts';
import { migrate } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { openSqliteStore } from '../sqlite-store.ts';

/** Number of migrations before seals existed. */
const before = 7;

/** A database as the version before seals has left it. */
function writeOlder(path: string): void {
  using older = new DatabaseSync(path);
  migrate(older, path, migrations.slice(0, before));
  older.exec(`
    INSERT INTO sources VALUES (1, 'data912');
    INSERT INTO instruments (id, ticker, closes_revision) VALUES (1, 'AL30', 1), (2, 'GGAL', 0);
    WITH RECURSIVE days (day) AS (SELECT -500 UNION ALL SELECT day + 1 FROM days WHERE day < 500)
    INSERT INTO closes SELECT 1, day, day + 0.25, NULL, 1, 2, 0.5, CASE day WHEN 7 THEN 1 END FROM days;
    INSERT INTO minute_bars VALUES (20000, 28800000, 2, 1, 2, 0.5, 1.5, NULL);
    INSERT INTO corporate_actions VALUES ('AL30', 5, 'split', 2, NULL, NULL, NULL, 'x');
    INSERT INTO api_keys (id, name, scope, sha256, created_at) VALUES ('k', 'ñ', 'read', 'h', 1);
    INSERT INTO key_events (at, who, what, key_id, detail) VALUES (1, 'w', 'create', 'k', 'ñ');
    UPDATE revisions SET value = 1;
  `);
}

test('an upgrade seals every row, and later changes continue the seals', async (t) => {
  const directory = await temporaryDirectory(t);
  writeOlder(join(directory, databaseFileName));
  using claim = claimDirectory(directory);
  await using store = await openSqliteStore({ directory, claim });
  assert.equal((await store.history.readCloses(al30, allDays)).length, 1_001);
  assert.equal((await store.actions.readAll()).actions.length, 1);
  assert.equal((await store.keys.readAll()).keys.length, 1);
  assert.equal((await store.keys.readEvents({ max: 10 })).length, 1);
  await put(store, al30, [close('1970-01-08', 1), close('1990-01-02', 3)]);
  assert.equal((await store.history.readCloses(al30, allDays)).length, 1_002);
  await checkPages(directory, t.signal);
});

test('a damaged database is not upgraded, so its damage is not sealed', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  writeOlder(path);
  const bytes = await readFile(path);
  const at = bytes.indexOf(Buffer.from([0x40, 0x79, 0x04, 0, 0, 0, 0, 0]));
  assert.ok(at > 0, 'the close 400.25 is in the file');
  bytes.fill(0xff, at - 2, at);
  await writeFile(path, bytes);
  using claim = claimDirectory(directory);
  await assert.rejects(openSqliteStore({ directory, claim }), { code: 'corrupt' });
  using database = new DatabaseSync(path);
  assert.equal(database.prepare('PRAGMA user_version').get()?.['user_version'], before);
});
