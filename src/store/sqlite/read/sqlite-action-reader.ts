import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ActionStore } from '../../contract/action-store.ts';
import {
  fromActionRow,
  storedActionColumns,
  type StoredActionRow,
} from '../../encoding/action-row.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { hashOfAction } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import { Snapshot } from '../seals/snapshot.ts';

/** Maximum number of actions that are read without yielding to the event loop: 2 to 4 ms. */
const actionsPerTurn = 2_000;

/** Reads committed corporate actions, and compares them with their seal. */
export class SqliteActionReader implements Pick<ActionStore, 'readAll' | 'revision'> {
  readonly #path: string;
  readonly #page: StatementSync;
  readonly #revision: StatementSync;
  readonly #seal: SetSeal;
  readonly #snapshot: Snapshot;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#seal = new SetSeal(database, path, 'actions');
    this.#snapshot = new Snapshot(database);
    this.#page = database.prepare(`
      SELECT ${storedActionColumns.join(', ')} FROM corporate_actions
      WHERE (ticker, ex_day, type) > (?, ?, ?)
      ORDER BY ticker, ex_day, type LIMIT ${actionsPerTurn}`);
    this.#revision = database.prepare(`SELECT value FROM revisions WHERE subject = 'actions'`);
  }

  async readAll(): ReturnType<ActionStore['readAll']> {
    for (;;) {
      const before = await this.revision();
      const rows = await this.#rows();
      // Actions that were changed between two pages are read again.
      const isSame = this.#read(() => {
        if (this.#revisionNow() !== before) return false;
        this.#seal.verify(rows.map(hashOfAction));
        return true;
      });
      if (!isSame) continue;
      return { revision: before, actions: rows.map((row) => fromActionRow(this.#path, row)) };
    }
  }

  async #rows(): Promise<readonly StoredActionRow[]> {
    const rows: StoredActionRow[] = [];
    // No key is before this one.
    let last: readonly [string, number, string] = ['', 0, ''];
    for (;;) {
      const page = this.#read(() =>
        this.#page.all(...last),
      ) as unknown as readonly StoredActionRow[];
      rows.push(...page);
      const end = page[actionsPerTurn - 1];
      if (end === undefined) return rows;
      last = [end[0], end[1], end[2]];
      await nextTurn();
    }
  }

  async revision(): Promise<number> {
    return this.#read(() => this.#revisionNow());
  }

  #revisionNow(): number {
    return soundNumber(this.#path, this.#revision.get());
  }

  #read<T>(read: () => T): T {
    return withFaults(this.#path, () => this.#snapshot.run(read));
  }
}
