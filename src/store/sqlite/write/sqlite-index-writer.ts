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
  type IndexRow,
  type ReplacedIndexRow,
} from '../../encoding/index-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { hashOfIndexValue } from '../seals/set-hash.ts';
import { SealedTable } from '../seals/sealed-table.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { IndexWriter } from './write-side.ts';

/** Writes values of indices. Each transaction that changes a value increases their revision by one. */
export class SqliteIndexWriter implements IndexWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #find: StatementSync;
  readonly #raise: StatementSync;
  readonly #held: SealedTable<IndexRow>;
  readonly #replaced: SealedTable<ReplacedIndexRow>;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    this.#writer = writer;
    this.#path = path;
    this.#find = database.prepare(
      `SELECT ${indexColumns.join(', ')} FROM index_values WHERE name = ? AND day = ?`,
    );
    this.#raise = database.prepare(
      `UPDATE revisions SET value = value + 1 WHERE subject = 'indices'`,
    );
    this.#held = new SealedTable(database, path, {
      table: 'index_values',
      columns: indexColumns,
      subject: 'indices',
      hashOf: hashOfIndexValue,
      onConflict: `ON CONFLICT (name, day) DO UPDATE SET value = excluded.value, source = excluded.source,
        stored_at = excluded.stored_at, stored_by = excluded.stored_by`,
    });
    this.#replaced = new SealedTable(database, path, {
      table: 'replaced_index_values',
      columns: replacedIndexColumns,
      subject: 'replaced indices',
      hashOf: hashOfIndexValue,
    });
  }

  async put(values: readonly IndexValue[], { at, origin }: StoreChange): Promise<IndexPut> {
    requireIndexValues(values);
    return this.#transaction(() => {
      let added = 0;
      const replaced: ReplacedIndexValue[] = [];
      for (const one of lastOfEachDay(values)) {
        const before = this.#find.get(one.index, one.day) as unknown as IndexRow | undefined;
        if (before?.[2] === one.value) continue;
        this.#held.put(toIndexRow({ ...one, storedAt: at, storedBy: origin }), before);
        if (before === undefined) {
          added += 1;
          continue;
        }
        const kept: ReplacedIndexRow = [...before, at, origin];
        this.#replaced.put(kept);
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
      this.#held.clear();
      this.#replaced.clear();
      for (const one of values) this.#held.put(toIndexRow(one));
      for (const one of replaced) this.#replaced.put(toReplacedIndexRow(one));
      this.#raise.run();
    });
  }

  #transaction<T>(work: () => T): Promise<T> {
    return this.#writer.transaction(() => withFaults(this.#path, work));
  }
}
