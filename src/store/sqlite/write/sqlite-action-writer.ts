import type { StatementSync } from 'node:sqlite';

import { actionKey, type CorporateAction } from '../../../domain/history/corporate-action.ts';
import type { StoreChange } from '../../../domain/changes/version.ts';
import type { ActionVersion } from '../../../domain/history/versions.ts';
import type { ActionKey, ActionStore } from '../../contract/action-store.ts';
import {
  replacedActionColumns,
  rowsOfActionVersions,
  storedActionColumns,
  toActionRow,
  type ReplacedActionRow,
  type StoredActionRow,
} from '../../encoding/action-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { hashOfAction } from '../seals/set-hash.ts';
import { SealedTable } from '../seals/sealed-table.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { ActionWriter } from './write-side.ts';

/** Writes corporate actions. Each transaction that changes an action increases their revision by one. */
export class SqliteActionWriter implements ActionWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #remove: StatementSync;
  readonly #find: StatementSync;
  readonly #held: SealedTable<StoredActionRow>;
  readonly #replaced: SealedTable<ReplacedActionRow>;
  readonly #raise: StatementSync;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    this.#writer = writer;
    this.#path = path;
    this.#remove = database.prepare(
      'DELETE FROM corporate_actions WHERE ticker = ? AND ex_day = ? AND type = ?',
    );
    this.#find = database.prepare(`
      SELECT ${storedActionColumns.join(', ')} FROM corporate_actions
      WHERE ticker = ? AND ex_day = ? AND type = ?`);
    this.#held = new SealedTable(database, path, {
      table: 'corporate_actions',
      columns: storedActionColumns,
      subject: 'actions',
      hashOf: hashOfAction,
    });
    this.#replaced = new SealedTable(database, path, {
      table: 'replaced_actions',
      columns: replacedActionColumns,
      subject: 'replaced actions',
      hashOf: hashOfAction,
    });
    this.#raise = database.prepare(
      `UPDATE revisions SET value = value + 1 WHERE subject = 'actions'`,
    );
  }

  apply(...[{ put, remove }, by]: Parameters<ActionStore['apply']>): Promise<readonly ActionKey[]> {
    return this.#transaction(() => {
      const changed = new Map<string, ActionKey>();
      for (const key of remove) {
        const before = this.#stored(key);
        if (before === undefined) continue;
        this.#replace(before, by);
        note(changed, key);
      }
      for (const action of lastOfEachKey(put)) {
        const row = toActionRow(action);
        const before = this.#stored(action);
        // Equal actions are not written, so importing a file twice changes nothing.
        if (before !== undefined && row.every((value, at) => value === before[at])) continue;
        if (before !== undefined) this.#replace(before, by);
        this.#held.put([...row, by.at, by.origin]);
        note(changed, action);
      }
      if (changed.size > 0) this.#raise.run();
      return [...changed.values()];
    });
  }

  async restore(versions: readonly ActionVersion[]): Promise<void> {
    const { stored, replaced } = rowsOfActionVersions(versions);
    await this.#transaction(() => {
      this.#held.clear();
      this.#replaced.clear();
      for (const row of stored) this.#held.put(row);
      for (const row of replaced) this.#replaced.put(row);
      this.#raise.run();
    });
  }

  #stored({ ticker, exDay, type }: ActionKey): StoredActionRow | undefined {
    return this.#find.get(ticker, exDay, type) as unknown as StoredActionRow | undefined;
  }

  /** Removes a stored action, and keeps it. */
  #replace(before: StoredActionRow, { at, origin }: StoreChange): void {
    this.#remove.run(before[0], before[1], before[2]);
    this.#held.unseal(before);
    this.#replaced.put([...before, at, origin]);
  }

  #transaction<T>(work: () => T): Promise<T> {
    return this.#writer.transaction(() => withFaults(this.#path, work));
  }
}

function note(changed: Map<string, ActionKey>, { ticker, exDay, type }: ActionKey): void {
  changed.set(`${ticker}\n${exDay}\n${type}`, { ticker, exDay, type });
}

/** Of two actions with one key, the later one is stored. */
function lastOfEachKey(actions: readonly CorporateAction[]): readonly CorporateAction[] {
  return [...new Map(actions.map((one) => [actionKey(one), one])).values()];
}
