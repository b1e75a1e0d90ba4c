import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

import { damaged } from './sqlite-fault.ts';

/**
 * Remembers, beside the database, how many commits it has held.
 *
 * SQLite takes a log that was cut, emptied or removed for one that ended there, and goes on from an
 * older state without a word. So every commit is counted inside the database, and when the disk has
 * it the count is written to a small file. That write is not synced and costs next to nothing; it
 * comes after the commit's own sync, so whatever a crash or a loss of power leaves of it, it never
 * tells of a commit that a sound database lacks. A database that holds fewer has lost some.
 */
export class CommitMark implements Disposable {
  readonly #file: number;
  readonly #raise: StatementSync;
  readonly #changes: StatementSync;
  #changesBefore = 0;
  #count: number | undefined;

  constructor(path: string, database: DatabaseSync) {
    this.#file = openSync(markPath(path), existsSync(markPath(path)) ? 'r+' : 'w', 0o600);
    this.#raise = database.prepare(
      `UPDATE revisions SET value = value + 1 WHERE subject = 'commits' RETURNING value`,
    );
    this.#changes = database.prepare('SELECT total_changes()');
  }

  /** A transaction begins. */
  begin(): void {
    this.#count = undefined;
    this.#changesBefore = this.#totalChanges();
  }

  /** The last statement of a transaction: counts it, unless it changed nothing. */
  count(): void {
    if (this.#totalChanges() === this.#changesBefore) return;
    this.#count = numberOf(this.#raise.get());
  }

  /** The transaction is durable. */
  committed(): void {
    if (this.#count === undefined) return;
    try {
      writeSync(this.#file, render(this.#count), 0);
    } catch {
      // The commit is durable all the same; an older mark only notices less.
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
  // The mark is read first: other processes commit meanwhile.
  const marked = readMark(path);
  if (marked === undefined) return;
  const held = countOf(database);
  if (held >= marked) return;
  const reason =
    `it holds ${held} commits of ${marked}: its log ${path}-wal was cut or removed, or an older ` +
    `file was put in its place; where the older state is what you want, remove ${markPath(path)}`;
  throw damaged(path, reason);
}

/**
 * Refuses to begin anew where a database was.
 *
 * @throws StoreFault `corrupt`
 */
export function refuseMissing(path: string): void {
  const marked = readMark(path);
  if (marked === undefined || existsSync(path)) return;
  const reason = `it is gone, and held ${marked} commits; to begin anew, remove ${markPath(path)}`;
  throw damaged(path, reason);
}

/** Forgets what an earlier database held, for one that takes its place by intention. */
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

/** A mark that is not whole says nothing. */
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

function numberOf(row: unknown): number {
  const [value] = Object.values(row ?? {});
  return Number(value);
}
