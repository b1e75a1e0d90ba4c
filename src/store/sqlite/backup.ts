import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';

import type { Clock } from '../../lib/clock.ts';
import { StoreFault } from '../store-fault.ts';
import { checkWhole, countRows } from './check-database.ts';
import type { RowCounts } from './check-database.ts';
import { claimDirectory } from './claim-directory.ts';
import { removeMark, requireMarked } from './commit-mark.ts';
import { openReader } from './connection.ts';
import { requireDatabaseFile } from './database-file.ts';
import { checkSchema } from './migrate.ts';
import { migrations } from './migrations.ts';
import { placeFile } from './place-file.ts';
import { damaged, toStoreFault, trustingStatements } from './sqlite-fault.ts';
import { databaseFileName } from './sqlite-store.ts';

/** What a backup or a restored database holds. */
export interface CopySummary {
  readonly path: string;
  readonly bytes: number;
  readonly rows: RowCounts;
}

/**
 * Copies a store's database into one file, as it is at one instant, while services and imports go on
 * using it: none of them waits. The copy is read back whole and compared before it gets its name.
 *
 * @throws StoreFault `conflict` when the file is there already; `corrupt` when the database is
 *   damaged, and then there is no backup; `absent`, `unavailable`, `schema-newer`.
 */
export async function backUpSqliteStore({
  directory,
  file,
}: {
  readonly directory: string;
  readonly file: string;
}): Promise<CopySummary> {
  const path = join(directory, databaseFileName);
  return faultsOf(path, () => {
    requireDatabaseFile(path);
    return placeFile(file, (unfinished) => copyChecked(path, unfinished));
  });
}

/**
 * Makes a store of a backup, in a directory that has none. The copy is read back whole before it
 * becomes the store; the service upgrades an older schema when it starts. Its quotes
 * have new versions: what was shown after the backup was made had some that are never given again.
 *
 * @throws StoreFault `conflict` when there is a database already; `busy` while a service runs on the
 *   directory; `corrupt` when the file is damaged or none of ours; `schema-newer`, `unavailable`.
 */
export async function restoreSqliteStore({
  directory,
  file,
  clock,
}: {
  readonly directory: string;
  readonly file: string;
  readonly clock: Clock;
}): Promise<CopySummary> {
  return faultsOf(file, async () => {
    if (!existsSync(file)) throw new StoreFault('unavailable', `there is no backup ${file}`);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, databaseFileName);
    using _ = claimDirectory(directory);
    refuseRemains(path);
    removeMark(path);
    const summary = await placeFile(path, async (unfinished) => {
      const copied = await copyChecked(file, unfinished);
      raiseVersions(unfinished, clock.now());
      return copied;
    });
    return { ...summary, path };
  });
}

/** More versions than these are not given in a millisecond, over any length of time. */
const versionsPerMsMax = 100;

/**
 * Raises the versions of all quotes alike, so far that the highest goes by the clock: above all that
 * were given since the backup was made. So a stream's client that comes back with the last id it saw
 * is told of all that is another now.
 */
function raiseVersions(path: string, now: number): void {
  using copy = new DatabaseSync(path, { returnArrays: true });
  const tables = `SELECT count(*) FROM sqlite_schema WHERE name = 'quotes'`;
  // A backup of the oldest schema has no quotes.
  if (numberOf(copy.prepare(tables).get()) === 0) return;
  const highest = numberOf(copy.prepare('SELECT max(version) FROM quotes').get());
  const by = Math.floor(now * versionsPerMsMax) - highest;
  if (by > 0) copy.prepare('UPDATE quotes SET version = version + ?').run(by);
}

function numberOf(row: unknown): number {
  const [value] = Object.values(row ?? {});
  return Number(value);
}

/** A log without its database would be taken for the log of the one that is restored. */
function refuseRemains(path: string): void {
  for (const one of [path, `${path}-wal`]) {
    if (!existsSync(one)) continue;
    throw new StoreFault(
      'conflict',
      `${one} is there already, and nothing is overwritten: move it away first, or choose another data directory`,
    );
  }
}

/**
 * Copies a database page by page within one transaction that reads, so it is of one instant. What is
 * damaged in the source is so in the copy, and is found there.
 */
async function copyChecked(from: string, to: string): Promise<CopySummary> {
  using source = openReader(from);
  source.exec('BEGIN');
  trustingStatements(from, () => {
    requireMarked(source, from);
    requireOurs(source, from);
  });
  const expected = trustingStatements(from, () => countRows(source));
  await faultsOf(to, () => backup(source, to, { rate: pagesPerStep }));
  const rows = trustingStatements(from, () => checkCopy(from, to));
  if (!isDeepStrictEqual(rows, expected)) {
    throw damaged(from, 'what was copied is not what was read');
  }
  return { path: to, bytes: statSync(to).size, rows };
}

/** Copied at a time, 16 MiB: other work of the process gets its turn between two of them. */
const pagesPerStep = 4096;

function requireOurs(database: DatabaseSync, path: string): void {
  if (checkSchema(database, path, migrations.length) > 0) return;
  throw new StoreFault('corrupt', `${path} is not a backup of Pizarra's: it is empty`);
}

function checkCopy(from: string, to: string): RowCounts {
  using copy = new DatabaseSync(to, { returnArrays: true });
  // One file and no log beside it: that is what a backup is kept and moved as.
  copy.exec('PRAGMA journal_mode = DELETE');
  copy.exec('PRAGMA cell_size_check = ON');
  checkWhole(copy, from);
  return countRows(copy);
}

/** What goes wrong, told of the file that it went wrong with, where the system names one. */
async function faultsOf<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const named = error instanceof Error && 'path' in error ? error.path : undefined;
    throw toStoreFault(error, typeof named === 'string' ? named : path);
  }
}
