import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { databaseFileName } from '../../src/store/sqlite/file/database-file.ts';

/** Fails unless SQLite finds the database of a data directory sound. */
export function checkIntegrity(directory: string): void {
  using database = new DatabaseSync(join(directory, databaseFileName), { readOnly: true });
  assert.equal(verdictOf(database), 'ok');
}

/** What SQLite finds. Some damage ends the check itself. */
function verdictOf(database: DatabaseSync): unknown {
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  } catch (error) {
    return (error as Error).message;
  }
}
