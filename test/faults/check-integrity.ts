import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { databaseFileName } from '../../src/store/sqlite/file/database-file.ts';

/** Fails unless SQLite finds the database of a data directory sound. */
export function checkIntegrity(directory: string): void {
  using database = new DatabaseSync(join(directory, databaseFileName), { readOnly: true });
  const [verdict] = database.prepare('PRAGMA integrity_check').all();
  assert.deepEqual({ ...verdict }, { integrity_check: 'ok' });
}
