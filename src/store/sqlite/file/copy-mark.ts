import type { DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';

import { unfinishedCopy, unfinishedFault } from '../../encoding/unfinished-copy.ts';
import { openWhenFree, openWriter } from './connection.ts';

/** Maximum time to wait for another writer, in milliseconds. */
const busyWaitMs = 30_000;

/** Whether a database is the target of a copy that is not complete. */
export function isUnfinishedCopy(database: DatabaseSync): boolean {
  return (
    database.prepare('SELECT 1 FROM revisions WHERE subject = ?').get(unfinishedCopy) !== undefined
  );
}

/**
 * Refuses the target of a copy that is not complete.
 *
 * @throws StoreFault `unfinished`
 */
export function requireFinished(database: DatabaseSync, path: string): void {
  if (!isUnfinishedCopy(database)) return;
  const directory = dirname(path);
  throw unfinishedFault(directory, `move or delete ${path}*`);
}

/** Marks a database as the target of a copy, or removes the mark. It is durable when the promise resolves. */
export async function markCopy(path: string, isUnfinished: boolean): Promise<void> {
  const change = isUnfinished
    ? 'INSERT INTO revisions (subject, value) VALUES (?, 1) ON CONFLICT DO NOTHING'
    : 'DELETE FROM revisions WHERE subject = ?';
  const database = await openWhenFree(path, busyWaitMs, openWriter, (writer) => {
    writer.prepare(change).run(unfinishedCopy);
  });
  database.close();
}
