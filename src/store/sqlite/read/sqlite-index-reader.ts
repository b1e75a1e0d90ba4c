import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { IndexName } from '../../../domain/indices/index-name.ts';
import type { ReplacedIndexValue } from '../../../domain/indices/index-value.ts';
import type { IndexStore } from '../../contract/index-store.ts';
import {
  fromIndexRow,
  fromReplacedIndexRow,
  indexColumns,
  replacedIndexColumns,
  type IndexRow,
  type ReplacedIndexRow,
} from '../../encoding/index-row.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { hashOfIndexValue } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import { Snapshot } from '../seals/snapshot.ts';

/** Maximum number of values that are read without yielding to the event loop: 2 to 4 ms. */
const valuesPerTurn = 4_000;

/** Reads committed values of indices, and compares them with their seals. */
export class SqliteIndexReader implements Pick<
  IndexStore,
  'readAll' | 'revision' | 'readReplaced'
> {
  readonly #path: string;
  readonly #page: StatementSync;
  readonly #replaced: StatementSync;
  readonly #revision: StatementSync;
  readonly #seal: SetSeal;
  readonly #replacedSeal: SetSeal;
  readonly #snapshot: Snapshot;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#seal = new SetSeal(database, path, 'indices');
    this.#replacedSeal = new SetSeal(database, path, 'replaced indices');
    this.#snapshot = new Snapshot(database);
    this.#page = database.prepare(`
      SELECT ${indexColumns.join(', ')} FROM index_values
      WHERE (name, day) > (?, ?) ORDER BY name, day LIMIT ${valuesPerTurn}`);
    this.#replaced = database.prepare(`
      SELECT ${replacedIndexColumns.join(', ')} FROM replaced_index_values
      ORDER BY name, day, position`);
    this.#revision = database.prepare(`SELECT value FROM revisions WHERE subject = 'indices'`);
  }

  async readAll(): ReturnType<IndexStore['readAll']> {
    for (;;) {
      const before = await this.revision();
      const rows = await this.#rows();
      // Values that were changed between two pages are read again.
      const isSame = this.#read(() => {
        if (this.#revisionNow() !== before) return false;
        this.#seal.verify(rows.map(hashOfIndexValue));
        return true;
      });
      if (isSame) return { revision: before, values: rows.map(fromIndexRow) };
    }
  }

  async readReplaced(index?: IndexName): Promise<readonly ReplacedIndexValue[]> {
    const rows = this.#read(() => {
      const all = this.#replaced.all() as unknown as readonly ReplacedIndexRow[];
      this.#replacedSeal.verify(all.map(hashOfIndexValue));
      return all;
    });
    return rows
      .map(fromReplacedIndexRow)
      .filter((one) => index === undefined || one.index === index);
  }

  async revision(): Promise<number> {
    return this.#read(() => this.#revisionNow());
  }

  async #rows(): Promise<readonly IndexRow[]> {
    const rows: IndexRow[] = [];
    // No key is before this one.
    let last: readonly [string, number] = ['', 0];
    for (;;) {
      const page = this.#read(() => this.#page.all(...last)) as unknown as readonly IndexRow[];
      rows.push(...page);
      const end = page[valuesPerTurn - 1];
      if (end === undefined) return rows;
      last = [end[0], end[1]];
      await nextTurn();
    }
  }

  #revisionNow(): number {
    return soundNumber(this.#path, this.#revision.get());
  }

  #read<T>(read: () => T): T {
    return withFaults(this.#path, () => this.#snapshot.run(read));
  }
}
