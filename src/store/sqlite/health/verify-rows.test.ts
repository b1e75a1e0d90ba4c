import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';

import { put } from '../../../../test/store/close-samples.ts';
import { generationOf, tickers } from '../../../../test/store/generations.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { openReader } from '../file/connection.ts';
import { databaseFileName } from '../file/database-file.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { verifyRows } from './verify-rows.ts';

/** A store whose closes were replaced once, after a statement has changed it. */
async function changedBy(t: TestContext, statement: string): Promise<() => void> {
  const directory = await temporaryDirectory(t);
  {
    await using store = await openSqliteStore({ directory });
    for (const generation of [1, 2]) {
      for (const ticker of tickers) await put(store, ticker, generationOf(generation));
    }
  }
  const path = join(directory, databaseFileName);
  {
    using database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    database.exec(statement);
  }
  return () => {
    using database = openReader(path);
    verifyRows(database, path);
  };
}

test('the rows of a sound store are as they were stored', async (t) => {
  assert.doesNotThrow(await changedBy(t, 'SELECT 1'));
});

const last = 'rowid = (SELECT max(rowid) FROM';

for (const [what, statement] of [
  [
    'a changed close',
    'UPDATE closes SET close = close + 0.5 WHERE day = (SELECT max(day) FROM closes)',
  ],
  ['a changed volume', 'UPDATE closes SET volume = 1 WHERE day = (SELECT min(day) FROM closes)'],
  [
    'a changed source',
    `INSERT INTO sources (name) VALUES ('x'); UPDATE closes SET source_id = (SELECT max(id) FROM sources)`,
  ],
  ['a close that is said to be of another change', 'UPDATE closes SET change_id = NULL'],
  ['a change that is missing', `DELETE FROM changes WHERE ${last} changes)`],
  [
    'a changed instant of a change to which no close refers',
    'UPDATE changes SET at = 0 WHERE id = 1',
  ],
  ['a close that is missing', 'DELETE FROM closes WHERE day = (SELECT max(day) FROM closes)'],
  ['a changed replaced close', 'UPDATE replaced_closes SET close = close + 0.5'],
] as const) {
  test(`the check of all rows finds ${what}`, async (t) => {
    const verify = await changedBy(t, statement);
    assert.throws(verify, (fault) => fault instanceof StoreFault && fault.code === 'corrupt');
  });
}
