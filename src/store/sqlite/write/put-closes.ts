import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ChangeOrigin, StoreChange } from '../../../domain/changes/version.ts';
import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { ChangeStamp } from '../../contract/history-store.ts';
import type { StoredCloseRow } from '../../encoding/close-row.ts';
import { historySql } from '../rows/history-sql.ts';
import {
  addClose,
  addReplaced,
  blockOf,
  type CloseSeal,
  emptySeal,
  removeClose,
  removeReplaced,
  RestHash,
  type SealedClose,
  type SealedReplacedClose,
} from '../seals/close-hash.ts';
import { InstrumentIds } from '../seals/instrument-ids.ts';
import { sealOfChange } from '../seals/row-hash.ts';
import { type ReplacedCloseRow, toSealed, VerifiedCloses } from '../seals/verified-closes.ts';

/** Maximum number of cached ids. Then the cache is cleared, and the ids are looked up again. */
const idsMax = 10_000;

/**
 * The ids of the sources of closes, and the sources that do not have one yet get one. The ids are
 * cached for one transaction, because a rollback removes the new ones.
 */
export class SourceIds {
  readonly #statements: NameStatements;
  readonly #cached = new Map<string, number>();

  constructor(statements: NameStatements) {
    this.#statements = statements;
  }

  /** Null for a source that is not known. */
  of(source: string | undefined): number | null {
    if (source === undefined) return null;
    const cached = this.#cached.get(source);
    if (cached !== undefined) return cached;
    const id = idOfName(this.#statements, source);
    if (this.#cached.size >= idsMax) this.#cached.clear();
    this.#cached.set(source, id);
    return id;
  }
}

export function prepareSources(database: DatabaseSync): NameStatements {
  return {
    add: database.prepare('INSERT INTO sources (name) VALUES (?)'),
    find: database.prepare('SELECT id FROM sources WHERE name = ?'),
  };
}

/** The statements of a table that gives an id to each name. */
export interface NameStatements {
  readonly add: StatementSync;
  readonly find: StatementSync;
}

/** The id of a name. A new name gets a new id. */
function idOfName({ add, find }: NameStatements, name: string): number {
  let row = find.get(name);
  if (row === undefined) {
    add.run(name);
    row = find.get(name);
  }
  const [id] = row as unknown as readonly [number];
  return id;
}

/** The statements of {@link CloseChanges}. */
export interface ChangeStatements {
  readonly add: StatementSync;
  readonly set: StatementSync;
}

function prepareChanges(database: DatabaseSync): ChangeStatements {
  return {
    add: database.prepare('INSERT INTO changes (at, origin, seal) VALUES (0, ?, 0) RETURNING id'),
    set: database.prepare('UPDATE changes SET at = ?, seal = ? WHERE id = ?'),
  };
}

/** The changes that one transaction adds: its own, and those of closes that are restored. */
export class CloseChanges {
  readonly #statements: ChangeStatements;
  readonly #stamp: ChangeStamp;
  readonly #restored = new Map<string, number>();
  #own: number | undefined;

  constructor(statements: ChangeStatements, stamp: ChangeStamp) {
    this.#statements = statements;
    this.#stamp = stamp;
  }

  /** The id of the transaction's own change. Its instant is set at the end. */
  get own(): number {
    this.#own ??= this.#add(this.#stamp.origin);
    return this.#own;
  }

  /** The id of a change of a copy. */
  restored({ at, origin }: StoreChange): number {
    const key = `${at} ${origin}`;
    const known = this.#restored.get(key);
    if (known !== undefined) return known;
    const id = this.#add(origin);
    this.#set(id, { at, origin });
    this.#restored.set(key, id);
    return id;
  }

  /** Sets the instant of the transaction's own change, if it made one. */
  finish(): void {
    if (this.#own === undefined) return;
    this.#set(this.#own, { at: this.#stamp.now(), origin: this.#stamp.origin });
  }

  #add(origin: ChangeOrigin): number {
    const [id] = this.#statements.add.get(origin) as unknown as readonly [number];
    return id;
  }

  #set(id: number, { at, origin }: StoreChange): void {
    if (!Number.isSafeInteger(at)) throw new RangeError(`a change cannot be at ${at}`);
    this.#statements.set.run(at, sealOfChange([id, at, origin]), id);
  }
}

/** Closes that are put together of which the stored ones are read one by one, and not as a range. */
const singleReadsMax = 8;

/** Puts closes within one transaction, with their seals, and keeps what they replace. */
export class ClosePuts {
  readonly #statements: CloseStatements;
  readonly #changes: CloseChanges;
  readonly #sourceIds: SourceIds;
  readonly #rest = new RestHash();

  constructor(own: {
    readonly statements: CloseStatements;
    readonly changes: CloseChanges;
    readonly sourceIds: SourceIds;
  }) {
    this.#statements = own.statements;
    this.#changes = own.changes;
    this.#sourceIds = own.sourceIds;
  }

  /** Returns whether a close has changed. */
  put(id: number, closes: readonly DailyClose[]): boolean {
    const stored = this.#storedOf(id, closes);
    const seals = new BlockSeals();
    for (const one of closes) {
      requireFinite(one);
      const before = stored.get(one.day);
      if (before !== undefined && isSame(before, one)) continue;
      const seal = seals.of(one.day);
      let change = this.#changes.own;
      if (before !== undefined) {
        change = this.#replace(id, seal, { before, after: one });
        // If the row that is replaced was damaged, the seal stays different from the rows.
        removeClose(seal, this.#rest, before);
      }
      const after: SealedClose = { ...one, change };
      this.#store(id, seal, after);
      stored.set(one.day, after);
    }
    seals.store(this.#statements.seal, id);
    return seals.isChanged;
  }

  /** Stores versions as they are. Nothing may be stored of the instrument. */
  restore(id: number, versions: readonly CloseVersion[]): void {
    const seals = new BlockSeals();
    let [day, position] = [Number.NaN, 0];
    for (const { value, stored, replaced } of versions) {
      requireFinite(value);
      position = value.day === day ? position + 1 : 1;
      ({ day } = value);
      const row = { ...value, change: this.#changes.restored(stored) };
      const seal = seals.of(day);
      if (replaced === undefined) this.#store(id, seal, row);
      else this.#keep(id, seal, { ...row, position, replacedBy: this.#changes.restored(replaced) });
    }
    seals.store(this.#statements.seal, id);
  }

  /**
   * Keeps a close that is replaced, and returns the id of the change that the new close is of. A close of this
   * transaction was never visible, so it is not kept. To put back what it has replaced undoes that change.
   */
  #replace(
    id: number,
    seal: CloseSeal,
    { before, after }: { readonly before: SealedClose; readonly after: DailyClose },
  ): number {
    const { lastReplaced, removeReplaced: remove } = this.#statements;
    const row = lastReplaced.get(id, after.day) as unknown as ReplacedCloseRow | undefined;
    const last = row === undefined ? undefined : toSealed(row);
    const { own } = this.#changes;
    if (before.change !== own) {
      const position = last === undefined ? 1 : last.position + 1;
      this.#keep(id, seal, { ...before, position, replacedBy: own });
      return own;
    }
    if (last?.replacedBy !== own || !isSame(last, after)) return own;
    remove.run(id, after.day, last.position);
    removeReplaced(seal, this.#rest, last);
    return last.change;
  }

  #store(id: number, seal: CloseSeal, one: SealedClose): void {
    this.#statements.put.run(
      id,
      one.day,
      one.close,
      one.volume,
      one.open ?? null,
      one.high ?? null,
      one.low ?? null,
      this.#sourceIds.of(one.source ?? undefined),
      one.change,
    );
    addClose(seal, this.#rest, one);
  }

  #keep(id: number, seal: CloseSeal, one: SealedReplacedClose): void {
    this.#statements.keep.run(
      id,
      one.day,
      one.close,
      one.volume,
      one.open ?? null,
      one.high ?? null,
      one.low ?? null,
      this.#sourceIds.of(one.source ?? undefined),
      one.change,
      one.position,
      one.replacedBy,
    );
    addReplaced(seal, this.#rest, one);
  }

  /** The stored closes that these may replace, by day. */
  #storedOf(id: number, closes: readonly DailyClose[]): Map<number, SealedClose> {
    let [from, to] = [Infinity, -Infinity];
    for (const { day } of closes) [from, to] = [Math.min(from, day), Math.max(to, day)];
    const { rows } = this.#statements;
    const found =
      closes.length > singleReadsMax
        ? rows.all(id, from, to)
        : closes.flatMap(({ day }) => rows.all(id, day, day));
    return new Map(
      (found as unknown as readonly StoredCloseRow[]).map(
        ([day, close, volume, open, high, low, source, change]) => [
          day,
          { day, close, volume, open, high, low, source, change },
        ],
      ),
    );
  }
}

/** What a transaction changes in the seals of an instrument. */
class BlockSeals {
  readonly #blocks = new Map<number, CloseSeal>();

  get isChanged(): boolean {
    return this.#blocks.size > 0;
  }

  of(day: number): CloseSeal {
    const block = blockOf(day);
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const seal = emptySeal();
    this.#blocks.set(block, seal);
    return seal;
  }

  store(statement: StatementSync, id: number): void {
    for (const [block, { rows, prices, rest, replacedRows, replaced }] of this.#blocks) {
      statement.run(id, block, rows, prices, rest, replacedRows, replaced);
    }
  }
}

/** Whether two closes have the same values and the same source. */
function isSame(one: Omit<SealedClose, 'change'>, other: Omit<SealedClose, 'change'>): boolean {
  return (
    one.close === other.close &&
    orNull(one.volume) === orNull(other.volume) &&
    orNull(one.open) === orNull(other.open) &&
    orNull(one.high) === orNull(other.high) &&
    orNull(one.low) === orNull(other.low) &&
    (one.source ?? null) === (other.source ?? null)
  );
}

/** SQLite stores NaN as null. */
function orNull(value: number | null | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

function requireFinite({ close }: DailyClose): void {
  if (!Number.isFinite(close)) throw new RangeError(`a close cannot be ${close}`);
}

/** The statements of a connection that writes closes. */
export type CloseStatements = ReturnType<typeof prepareCloses>;

export function prepareCloses(database: DatabaseSync, path: string) {
  return {
    closes: new VerifiedCloses(database, path),
    instruments: new InstrumentIds(database, path),
    rows: database.prepare(historySql.rows),
    put: database.prepare(`
      INSERT INTO closes (instrument_id, day, close, volume, open, high, low, source_id, change_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (instrument_id, day) DO UPDATE SET
        close = excluded.close, volume = excluded.volume,
        open = excluded.open, high = excluded.high, low = excluded.low,
        source_id = excluded.source_id, change_id = excluded.change_id`),
    keep: database.prepare(`
      INSERT INTO replaced_closes
        (instrument_id, day, close, volume, open, high, low, source_id, change_id, position, replaced_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    lastReplaced: database.prepare(historySql.lastReplaced),
    removeReplaced: database.prepare(
      'DELETE FROM replaced_closes WHERE instrument_id = ? AND day = ? AND position = ?',
    ),
    seal: database.prepare(`
      INSERT INTO close_seals (instrument_id, block, rows, prices, rest, replaced_rows, replaced)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (instrument_id, block) DO UPDATE SET rows = rows + excluded.rows,
        prices = (prices + excluded.prices) & 4294967295, rest = (rest + excluded.rest) & 4294967295,
        replaced_rows = replaced_rows + excluded.replaced_rows,
        replaced = (replaced + excluded.replaced) & 4294967295`),
    /** Everything of an instrument, for what replaces it as a whole. */
    removeAll: ['closes', 'replaced_closes', 'close_seals'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE instrument_id = ?`),
    ),
    sources: prepareSources(database),
    changes: prepareChanges(database),
    raise: database.prepare(`UPDATE revisions SET value = value + 1 WHERE subject = 'closes'`),
    mark: database.prepare(`
      UPDATE instruments
      SET closes_revision = (SELECT value FROM revisions WHERE subject = 'closes')
      WHERE id = ?`),
    markSeal: database.prepare(`
      UPDATE instrument_seals
      SET closes_revision = (SELECT value FROM revisions WHERE subject = 'closes')
      WHERE ticker = ?`),
  };
}
