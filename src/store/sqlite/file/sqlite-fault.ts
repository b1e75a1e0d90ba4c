import { getSystemErrorMessage } from 'node:util';

import { writeObstacle } from '../../../lib/files/write-obstacle.ts';
import {
  damaged,
  reportedFault,
  StoreFault,
  type StoreFaultCode,
} from '../../contract/store-fault.ts';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) and their fault codes. */
const codes: ReadonlyMap<number, StoreFaultCode> = new Map([
  [3, 'unavailable'], // PERM
  [5, 'busy'], // BUSY
  [6, 'busy'], // LOCKED
  [8, 'unavailable'], // READONLY
  [10, 'unavailable'], // IOERR
  [11, 'corrupt'], // CORRUPT
  [13, 'unavailable'], // FULL
  [14, 'unavailable'], // CANTOPEN
  [18, 'corrupt'], // TOOBIG: no stored value is that long, so a page has a wrong length
  [26, 'corrupt'], // NOTADB
]);

const sqliteFull = 13;

/** SQLITE_ERROR: a statement is wrong, or the schema does not match it. */
const sqliteError = 1;

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE, the constraints that data can violate. */
const conflicts: ReadonlySet<number> = new Set([1555, 2067]);

/**
 * Converts an error of SQLite or of the file system to a fault. Any other error is a defect of this
 * program, and is returned unchanged.
 */
export function toStoreFault(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreFault) return error;
  const errcode = errcodeOf(error);
  if (errcode !== undefined) {
    const code = codeOf(errcode);
    if (code === undefined) return error;
    // SQLite does not say why a file cannot be opened or written, except that the disk is full.
    const isUnexplained = code === 'unavailable' && (errcode & 0xff) !== sqliteFull;
    const obstacle = isUnexplained ? writeObstacle(path) : undefined;
    const reason = obstacle?.reason ?? error.message;
    return reportedFault(code, path, reason, { cause: error });
  }
  // A number that the program cannot have stored.
  if ('code' in error && error.code === 'ERR_OUT_OF_RANGE') {
    return damaged(path, error.message, error);
  }
  if ('errno' in error && typeof error.errno === 'number') {
    const reason = getSystemErrorMessage(error.errno) ?? error.message;
    return reportedFault('unavailable', path, reason, { cause: error });
  }
  return error;
}

/** Runs a function and converts its errors to faults. */
export function withFaults<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/**
 * Runs statements that are correct for every sound database. An SQLITE_ERROR (a missing table, an
 * unknown file format) therefore means that the file is damaged.
 */
export function trustingStatements<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (errcodeOf(error) !== sqliteError) throw error;
    throw damaged(path, error instanceof Error ? error.message : '', error);
  }
}

/** The fault of a write to a store that was opened read-only. */
export function readOnlyFault(path: string): StoreFault {
  return new StoreFault('unavailable', `${path} was opened read-only`);
}

/** Whether SQLite reports that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const errcode = errcodeOf(error);
  return errcode !== undefined && codeOf(errcode) === 'busy';
}

/** The extended result code of an SQLite error; undefined for other errors. */
function errcodeOf(error: unknown): number | undefined {
  const isOfSqlite = error instanceof Error && 'errcode' in error;
  return isOfSqlite && typeof error.errcode === 'number' ? error.errcode : undefined;
}

function codeOf(errcode: number): StoreFaultCode | undefined {
  return conflicts.has(errcode) ? 'conflict' : codes.get(errcode & 0xff);
}

/**
 * An error in a message between threads. Structured clone preserves the message, the stack and the cause
 * of an error. It preserves the class only of the language's built-in errors.
 */
export interface PackedError {
  readonly error: unknown;
  /** Present when the error was a {@link StoreFault}. */
  readonly fault?: StoreFaultCode;
}

/** Packs an error. */
export function packError(error: unknown): PackedError {
  return error instanceof StoreFault ? { error, fault: error.code } : { error };
}

/** Restores a packed error, including the class {@link StoreFault}. */
export function unpackError({ error, fault }: PackedError): unknown {
  if (fault === undefined || !(error instanceof Error)) return error;
  return new StoreFault(fault, error.message, { cause: error.cause });
}
