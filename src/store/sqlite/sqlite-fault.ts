import { getSystemErrorMessage } from 'node:util';

import { StoreFault } from '../store-fault.ts';
import type { StoreFaultCode } from '../store-fault.ts';

/** Primary result codes of SQLite, by what they mean for a store. https://sqlite.org/rescode.html */
const codes: ReadonlyMap<number, StoreFaultCode> = new Map([
  [3, 'unavailable'], // PERM
  [5, 'busy'], // BUSY
  [6, 'busy'], // LOCKED
  [8, 'unavailable'], // READONLY
  [10, 'unavailable'], // IOERR
  [11, 'corrupt'], // CORRUPT
  [13, 'unavailable'], // FULL
  [14, 'unavailable'], // CANTOPEN
  [26, 'corrupt'], // NOTADB
]);

/** SQLITE_ERROR: a statement is wrong, or the schema that it speaks of. */
const sqliteError = 1;

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE: the only constraints that data meets. */
const conflicts: ReadonlySet<number> = new Set([1555, 2067]);

/**
 * What SQLite or the file system said, as a fault; anything else is a mistake of this program and
 * comes back as it is.
 */
export function toStoreFault(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error;
  const errcode = errcodeOf(error);
  if (errcode !== undefined) {
    const code = codeOf(errcode);
    if (code === undefined) return error;
    return new StoreFault(code, sentence(code, path, error.message), { cause: error });
  }
  if ('errno' in error && typeof error.errno === 'number') {
    const reason = getSystemErrorMessage(error.errno) ?? error.message;
    return new StoreFault('unavailable', sentence('unavailable', path, reason), { cause: error });
  }
  return error;
}

/** Runs something with a database and turns what it throws into a fault. */
export function withFaults<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/**
 * Runs statements that are right whenever the file is: then even what SQLite takes for a mistake in
 * them (a table that is not there, an unknown file format) says that the file is damaged.
 */
export function trustingStatements<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (errcodeOf(error) !== sqliteError) throw error;
    throw damaged(path, error instanceof Error ? error.message : '', error);
  }
}

/** The only number of a row that every sound file has. */
export function soundNumber(path: string, row: unknown): number {
  const [value] = Array.isArray(row) ? row : [];
  if (typeof value !== 'number') throw damaged(path, 'a row is missing');
  return value;
}

/** What is said of a file that does not hold what it must. */
export function damaged(path: string, reason: string, cause?: unknown): StoreFault {
  return new StoreFault('corrupt', sentence('corrupt', path, reason), { cause });
}

/** What a store that was opened for reading says to whoever wants to write. */
export function readOnlyFault(path: string): StoreFault {
  return new StoreFault('unavailable', `${path} was opened for reading only`);
}

/** Whether an error is SQLite's word that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const errcode = errcodeOf(error);
  return errcode !== undefined && codeOf(errcode) === 'busy';
}

/** SQLite's extended result code, where an error comes from there. */
function errcodeOf(error: unknown): number | undefined {
  const isOfSqlite = error instanceof Error && 'errcode' in error;
  return isOfSqlite && typeof error.errcode === 'number' ? error.errcode : undefined;
}

function codeOf(errcode: number): StoreFaultCode | undefined {
  return conflicts.has(errcode) ? 'conflict' : codes.get(errcode & 0xff);
}

function sentence(code: StoreFaultCode, path: string, reason: string): string {
  switch (code) {
    case 'busy':
      return `${path} is held by another process (${reason})`;
    case 'corrupt':
      return `${path} is not a database or is damaged (${reason})`;
    case 'conflict':
      return `${path} holds this already (${reason})`;
    case 'unavailable':
    case 'absent':
    case 'schema-newer':
    case 'schema-older':
      return `cannot use ${path}: ${reason}`;
  }
}
