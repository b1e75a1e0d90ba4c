import type { StatementSync } from 'node:sqlite';

import type { DailyClose } from '../../../../domain/history/daily-close.ts';
import type { CloseVersion } from '../../../../domain/history/versions.ts';
import type { StoredCloseRow } from '../../../encoding/close-row.ts';
import type { SourceIds } from '../../rows/source-ids.ts';
import {
  addClose,
  addReplaced,
  blockOf,
  emptySeal,
  removeClose,
  removeReplaced,
  RestHash,
  type CloseSeal,
  type SealedClose,
  type SealedReplacedClose,
} from '../../seals/close-hash.ts';
import { toSealed, type ReplacedCloseRow } from '../../seals/verified-closes.ts';
import type { CloseChanges } from './close-changes.ts';
import type { CloseStatements } from './close-statements.ts';

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
