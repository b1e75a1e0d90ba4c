import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { ggal } from '../../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { barAt } from '../../../../test/support/market/bar-samples.ts';
import { databaseFileName } from '../file/database-file.ts';
import { openSqliteStore } from '../sqlite-store.ts';

test('a step of the housekeeping that cannot be committed is taken again, and no bar is lost', async (t) => {
  const directory = await temporaryDirectory(t);
  await using store = await openSqliteStore({ directory });
  const bar = barAt('2026-11-20', '11:00', [1, 2, 0.5, 1.5], 10);
  await store.quotes.commit({ quotes: [], closes: [], bars: [{ ticker: ggal, bar }] });
  using database = new DatabaseSync(join(directory, databaseFileName));
  // A full disk is noticed at the commit, as a constraint that is checked there.
  database.exec(`
    CREATE TABLE refused (id REFERENCES instruments (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER refuse AFTER INSERT ON session_bars BEGIN INSERT INTO refused VALUES (-1); END`);
  const options = { idleSince: bar.minute + 1, sessionsMax: 5 };
  await assert.rejects(store.bars.tidyBars(options), /FOREIGN KEY/);
  database.exec('DROP TRIGGER refuse');
  const stepsMax = 10;
  for (let step = 0; step < stepsMax && (await store.bars.tidyBars(options)); step += 1);
  assert.deepEqual(await store.bars.readBars(ggal, { from: bar.day, to: bar.day }), [bar]);
});
