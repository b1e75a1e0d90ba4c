/**
 * The program of the thread that checks a database. {@link checkPages} starts it. It posts null when the
 * database is sound, and otherwise the error.
 */
import { parentPort, workerData } from 'node:worker_threads';

import { lowerPriority } from '../../../lib/runtime/lower-priority.ts';
import { openReader } from '../file/connection.ts';
import { damaged } from '../../contract/store-fault.ts';
import { trustingStatements, withFaults, packError } from '../file/sqlite-fault.ts';
import { verifyRows } from './verify-rows.ts';

const port = parentPort;
const path = String(workerData);
// The check takes seconds, while requests are answered.
lowerPriority();

try {
  withFaults(path, () =>
    trustingStatements(path, () => {
      using database = openReader(path);
      const [row] = database.prepare('PRAGMA quick_check(1)').all();
      const [verdict] = Object.values(row ?? {});
      if (verdict !== 'ok') throw damaged(path, String(verdict));
      verifyRows(database, path);
    }),
  );
  port?.postMessage(null);
} catch (error) {
  port?.postMessage(packError(error));
}
