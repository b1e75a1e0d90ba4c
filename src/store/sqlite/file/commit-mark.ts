import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

import { damaged } from '../../contract/store-fault.ts';

/**
 * Stores the number of commits of a database in a small file beside it, the mark.
 *
 * When the write-ahead log was truncated or removed, SQLite continues from an older state and reports
 * no error. So every commit is counted inside the database. After the commit is durable, the count is
 * also written to the mark. The mark is not synced, so it costs almost nothing. It is written after the
 * commit's own sync, so a crash or a power failure never leaves a mark with more commits than a sound
 * database has. A database with fewer commits than its mark has lost some.
 */
export class CommitMark implements Disposable {
  readonly #file: number;
  readonly #raise: StatementSync;
  readonly #changes: StatementSync;
  /** The number of changes when the transaction began. */
  #changesBefore = 0;
  /** The same for the next transaction, if the last one was committed. */
  #changesNow: number | undefined;
  #count: number | undefined;

  constructor(path: string, database: DatabaseSync) {
    this.#file = openSync(markPath(path), existsSync(markPath(path)) ? 'r+' : 'w', 0o600);
    this.#raise = database.prepare(
      `UPDATE revisions SET value = value + 1 WHERE subject = 'commits' RETURNING value`,
    );
    this.#changes = database.prepare('SELECT total_changes()');
  }

  /** Called when a transaction begins. */
  begin(): void {
    this.#count = undefined;
    this.#changesBefore = this.#changesNow ?? this.#totalChanges();
    this.#changesNow = undefined;
  }

  /** Counts the transaction, unless it changed nothing. It is the last statement before the commit. */
  count(): void {
    const changes = this.#totalChanges();
    if (changes === this.#changesBefore) return;
    this.#count = numberOf(this.#raise.get());
    // Nothing else writes through this connection, so the next transaction begins with this number.
    this.#changesNow = changes + 1;
  }

  /** Called when the transaction is durable. Writes the count to the mark. */
  committed(): void {
    if (this.#count === undefined) return;
    try {
      writeSync(this.#file, render(this.#count), 0);
    } catch {
      // The commit is durable nevertheless. With an older mark, the loss of this commit is not detected.
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #totalChanges(): number {
    return numberOf(this.#changes.get());
  }
}

/**
 * Refuses a database that has lost commits.
 *
 * @throws StoreFault `corrupt`
 */
export function requireMarked(database: DatabaseSync, path: string): void {
  // The mark is read before the database, because other processes may commit in between.
  const marked = readMark(path);
  if (marked === undefined) return;
  const found = countOf(database);
  if (found >= marked) return;
  const reason =
    `it has ${found} of ${marked} commits: its log ${path}-wal was truncated or removed, or an ` +
    `older file replaced it; to accept the older state, remove ${markPath(path)}`;
  throw damaged(path, reason);
}

/**
 * Refuses to create a database where one existed before.
 *
 * @throws StoreFault `corrupt`
 */
export function refuseMissing(path: string): void {
  const marked = readMark(path);
  if (marked === undefined || existsSync(path)) return;
  const reason = `it is missing, and had ${marked} commits; to start with an empty database, remove ${markPath(path)}`;
  throw damaged(path, reason);
}

/** Removes the mark of an earlier database, before another one intentionally replaces it. */
export function removeMark(path: string): void {
  rmSync(markPath(path), { force: true });
}

function markPath(path: string): string {
  return `${path}-mark`;
}

function render(count: number): string {
  const text = String(count).padStart(16, '0');
  return `${text} ${crc32(text).toString(16).padStart(8, '0')}\n`;
}

/** Reads the mark. Undefined when it is missing or incomplete. */
function readMark(path: string): number | undefined {
  if (!existsSync(markPath(path))) return undefined;
  const text = readFileSync(markPath(path), 'utf8');
  const count = Number(text.slice(0, 16));
  return text === render(count) ? count : undefined;
}

function countOf(database: DatabaseSync): number {
  const tables = `SELECT count(*) FROM sqlite_schema WHERE name = 'revisions'`;
  if (numberOf(database.prepare(tables).get()) === 0) return 0;
  const count = `SELECT sum(value) FROM revisions WHERE subject = 'commits'`;
  return numberOf(database.prepare(count).get());
}

/** The number in the only column of a row. */
export function numberOf(row: unknown): number {
  const [value] = Object.values(row ?? {});
  return Number(value);
}
