import {
  existsSync,
  statSync,
  closeSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { join, dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';

import { versionFloor } from '../../../domain/values/version-floor.ts';
import { makeDirectory } from '../../../lib/files/make-directory.ts';
import type { CopySummary } from '../../contract/place.ts';
import { StoreFault, damaged } from '../../contract/store-fault.ts';
import { checkWhole, countRows, type RowCounts } from './check-database.ts';
import { claimDirectory } from './claim-directory.ts';
import { requireFinished, hasSchema } from '../schema/prepare-database.ts';
import { numberOf, removeMark, requireMarked } from '../file/commit-mark.ts';
import { openReader } from '../file/connection.ts';
import { requireDatabaseFile, databaseFileName, syncFile } from '../file/database-file.ts';
import { toStoreFault, trustingStatements } from '../file/sqlite-fault.ts';

/**
 * Copies a store's database into one file, as of one instant. Services and imports continue to use the
 * database meanwhile, and do not wait. The whole copy is read back and compared before the file gets
 * its name.
 *
 * @throws StoreFault `conflict` when the file exists already; `corrupt` when the database is damaged,
 *   and then no backup is created; `absent`, `unavailable`, `schema-newer`, `schema-older`.
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
 * Restores a backup into a directory that has no store. The whole copy is read back before it becomes
 * the store. The quotes get new versions, because versions were assigned after the backup was made, and a version is never assigned twice.
 *
 * @throws StoreFault `conflict` when a database exists already; `busy` while a service runs on the
 *   directory; `corrupt` when the file is damaged or was not written by Pizarra; `schema-newer`,
 *   `schema-older`, `unavailable`.
 */
export async function restoreSqliteStore({
  directory,
  file,
  now,
}: {
  readonly directory: string;
  readonly file: string;
  /** The time, in epoch milliseconds. */
  readonly now: number;
}): Promise<CopySummary> {
  return faultsOf(file, async () => {
    if (!existsSync(file)) {
      throw new StoreFault('unavailable', `The backup ${file} does not exist. Check the path`);
    }
    // Opening a pipe or a device may wait without an end.
    if (!statSync(file).isFile()) {
      throw new StoreFault(
        'unavailable',
        `${file} is not a regular file. Name a file that "pizarra backup" has written`,
      );
    }
    makeDirectory(directory, 0o700);
    const path = join(directory, databaseFileName);
    using _ = claimDirectory(directory);
    refuseRemains(path);
    removeMark(path);
    const summary = await placeFile(path, async (unfinished) => {
      const copied = await copyChecked(file, unfinished);
      raiseVersions(unfinished, now);
      return copied;
    });
    return { ...summary, path };
  });
}

/**
 * Increases the versions of all quotes by the same amount. The highest version is then derived from the
 * clock, so it exceeds all versions that were assigned since the backup was made. A client that
 * reconnects to a stream with the last id that it saw therefore receives every quote that differs.
 */
function raiseVersions(path: string, now: number): void {
  using copy = new DatabaseSync(path, { returnArrays: true });
  const highest = numberOf(copy.prepare('SELECT max(version) FROM quotes').get());
  const by = versionFloor(now) - highest;
  if (by <= 0) return;
  // The seal of a quote contains its version (`seals/row-hash.ts`).
  copy.prepare('UPDATE quotes SET version = version + ?1, seal = (seal + ?1) & 4294967295').run(by);
}

/** Refuses a directory with a database, or with a log that SQLite would apply to the restored one. */
function refuseRemains(path: string): void {
  for (const one of [path, `${path}-wal`]) {
    if (!existsSync(one)) continue;
    throw new StoreFault(
      'conflict',
      `${one} already exists and is not overwritten. Move it away, or choose another data directory`,
    );
  }
}

/**
 * Copies a database page by page within one read transaction, so the copy is of one instant. Damage in
 * the source is copied too, and the check of the copy finds it.
 */
async function copyChecked(from: string, to: string): Promise<CopySummary> {
  using source = openReader(from);
  source.exec('BEGIN');
  trustingStatements(from, () => {
    requireMarked(source, from);
    requireOurs(source, from);
    requireFinished(source, from);
  });
  const expected = trustingStatements(from, () => countRows(source));
  await faultsOf(to, () => backup(source, to, { rate: pagesPerStep }));
  const rows = trustingStatements(from, () => checkCopy(from, to));
  if (!isDeepStrictEqual(rows, expected)) {
    throw damaged(from, 'the copy has other numbers of rows than the database');
  }
  return { path: to, bytes: statSync(to).size, rows };
}

/** Pages that are copied without yielding to the event loop: 16 MiB. */
const pagesPerStep = 4096;

function requireOurs(database: DatabaseSync, path: string): void {
  if (hasSchema(database, path)) return;
  throw new StoreFault('corrupt', `${path} is not a backup of Pizarra: it is empty`);
}

function checkCopy(from: string, to: string): RowCounts {
  using copy = new DatabaseSync(to, { returnArrays: true });
  // Without the write-ahead log, the backup is a single file that can be moved.
  copy.exec('PRAGMA journal_mode = DELETE');
  copy.exec('PRAGMA cell_size_check = ON');
  checkWhole(copy, from);
  return countRows(copy);
}

/** Converts errors to faults. A fault names the file that the operating system reports, else `path`. */
async function faultsOf<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const named = error instanceof Error && 'path' in error ? error.path : undefined;
    throw toStoreFault(error, typeof named === 'string' ? named : path);
  }
}

/**
 * Creates a file atomically. The file is written under a temporary name in the same directory, and gets
 * its final name when it is complete and synced. So an existing file is never overwritten, and an
 * incomplete file never has the final name.
 *
 * @param write writes the file at the given path. That file exists, is empty, and only its owner can
 *   access it.
 * @throws StoreFault `conflict` when the file exists already; and any error of `write`.
 */
export async function placeFile<T>(
  path: string,
  write: (unfinished: string) => Promise<T>,
): Promise<T> {
  if (existsSync(path)) throw isThere(path);
  const unfinished = `${path}.${process.pid}.unfinished`;
  closeSync(openSync(unfinished, 'wx', 0o600));
  try {
    const written = await write(unfinished);
    syncFile(unfinished);
    giveName(unfinished, path);
    syncFile(dirname(path));
    return written;
  } finally {
    for (const left of ['', '-journal', '-wal', '-shm']) rmSync(unfinished + left, { force: true });
  }
}

/** Gives the file its final name. A link fails when the name exists; a rename would replace the file. */
function giveName(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
    unlinkSync(unfinished);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw isThere(path, error);
    // Some file systems (FAT on a memory stick) have no links. There the name is claimed first.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    claimName(path);
    renameSync(unfinished, path);
  }
}

function claimName(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(path, error);
    throw error;
  }
}

function isThere(path: string, cause?: unknown): StoreFault {
  const message = `${path} already exists and is not overwritten. Choose another name`;
  return new StoreFault('conflict', message, { cause });
}
