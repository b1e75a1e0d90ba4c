import type { StatementSync } from 'node:sqlite';

import type { StoreChange } from '../../../domain/changes/version.ts';
import type { IndexValue, ReplacedIndexValue } from '../../../domain/indices/index-value.ts';
import type { IndexPut, IndexStore } from '../../contract/index-store.ts';
import {
  fromReplacedIndexRow,
  indexColumns,
  lastOfEachDay,
  replacedIndexColumns,
  requireIndexValues,
  toIndexRow,
  toReplacedIndexRow,
} from '../../encoding/index-row.ts';
import type { IndexRow, ReplacedIndexRow } from '../../encoding/index-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { hashOfIndexValue } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { IndexWriter } from './write-side.ts';

const columns = indexColumns.join(', ');
const replacedColumns = replacedIndexColumns.join(', ');

/** Writes values of indices. Each transaction that changes a value increases their revision by one. */
export class SqliteIndexWriter implements IndexWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #find: StatementSync;
  readonly #put: StatementSync;
  readonly #keep: StatementSync;
  readonly #raise: StatementSync;
  readonly #seal: SetSeal;
  readonly #replacedSeal: SetSeal;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    this.#writer = writer;
    this.#path = path;
    this.#find = database.prepare(`SELECT ${columns} FROM index_values WHERE name = ? AND day = ?`);
    this.#put = database.prepare(`
      INSERT INTO index_values (${columns}) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (name, day) DO UPDATE SET value = excluded.value, source = excluded.source,
        stored_at = excluded.stored_at, stored_by = excluded.stored_by`);
    this.#keep = database.prepare(
      `INSERT INTO replaced_index_values (${replacedColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#raise = database.prepare(
      `UPDATE revisions SET value = value + 1 WHERE subject = 'indices'`,
    );
    this.#seal = new SetSeal(database, path, 'indices');
    this.#replacedSeal = new SetSeal(database, path, 'replaced indices');
  }

  async put(values: readonly IndexValue[], { at, origin }: StoreChange): Promise<IndexPut> {
    requireIndexValues(values);
    return this.#transaction(() => {
      let added = 0;
      const replaced: ReplacedIndexValue[] = [];
      for (const one of lastOfEachDay(values)) {
        const before = this.#find.get(one.index, one.day) as unknown as IndexRow | undefined;
        if (before?.[2] === one.value) continue;
        this.#store(toIndexRow({ ...one, storedAt: at, storedBy: origin }), before);
        if (before === undefined) {
          added += 1;
          continue;
        }
        const kept: ReplacedIndexRow = [...before, at, origin];
        this.#keepReplaced(kept);
        replaced.push(fromReplacedIndexRow(kept));
      }
      if (added + replaced.length > 0) this.#raise.run();
      return { added, replaced };
    });
  }

  async restore({ values, replaced }: Parameters<IndexStore['restore']>[0]): Promise<void> {
    requireIndexValues(values);
    requireIndexValues(replaced);
    await this.#transaction(() => {
      const { database } = this.#writer;
      const all = (from: string): readonly number[] =>
        (database.prepare(`SELECT ${from}`).all() as unknown as IndexRow[]).map(hashOfIndexValue);
      this.#seal.remove(all(`${columns} FROM index_values`));
      this.#replacedSeal.remove(all(`${replacedColumns} FROM replaced_index_values`));
      database.exec('DELETE FROM index_values; DELETE FROM replaced_index_values');
      for (const one of values) this.#store(toIndexRow(one), undefined);
      for (const one of replaced) this.#keepReplaced(toReplacedIndexRow(one));
      this.#raise.run();
    });
  }

  #store(row: IndexRow, before: IndexRow | undefined): void {
    this.#put.run(...row);
    if (before !== undefined) this.#seal.remove([hashOfIndexValue(before)]);
    this.#seal.add([hashOfIndexValue(row)]);
  }

  #keepReplaced(row: ReplacedIndexRow): void {
    this.#keep.run(...row);
    this.#replacedSeal.add([hashOfIndexValue(row)]);
  }

  #transaction<T>(work: () => T): Promise<T> {
    return this.#writer.transaction(() => withFaults(this.#path, work));
  }
}
