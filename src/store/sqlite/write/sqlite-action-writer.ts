import type { StatementSync } from 'node:sqlite';

import type { ActionKey, ActionStore } from '../../contract/action-store.ts';
import { actionColumns, toActionRow } from '../../encoding/action-row.ts';
import type { ActionRow } from '../../encoding/action-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { hashOfAction } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { ActionWriter } from './write-side.ts';

/** Writes corporate actions. Each transaction that changes an action increases their revision by one. */
export class SqliteActionWriter implements ActionWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #find: StatementSync;
  readonly #seal: SetSeal;
  readonly #raise: StatementSync;

  constructor(writer: SqliteWriter, path: string) {
    const { database } = writer;
    const values = actionColumns.slice(3);
    this.#writer = writer;
    this.#path = path;
    // Equal actions are not written, so importing a file twice changes nothing.
    this.#put = database.prepare(`
      INSERT INTO corporate_actions (${actionColumns.join(', ')})
      VALUES (${actionColumns.map(() => '?').join(', ')})
      ON CONFLICT (ticker, ex_day, type) DO UPDATE SET
        ${values.map((column) => `${column} = excluded.${column}`).join(', ')}
      WHERE ${values.map((column) => `${column} IS NOT excluded.${column}`).join(' OR ')}`);
    this.#remove = database.prepare(
      'DELETE FROM corporate_actions WHERE ticker = ? AND ex_day = ? AND type = ?',
    );
    this.#find = database.prepare(`
      SELECT ${actionColumns.join(', ')} FROM corporate_actions
      WHERE ticker = ? AND ex_day = ? AND type = ?`);
    this.#seal = new SetSeal(database, path, 'actions');
    this.#raise = database.prepare(
      `UPDATE revisions SET value = value + 1 WHERE subject = 'actions'`,
    );
  }

  apply({ put, remove }: Parameters<ActionStore['apply']>[0]): Promise<readonly ActionKey[]> {
    return this.#writer.transaction(() =>
      withFaults(this.#path, () => {
        const changed: ActionKey[] = [];
        for (const { ticker, exDay, type } of remove) {
          const before = this.#hashOf({ ticker, exDay, type });
          const { changes } = this.#remove.run(ticker, exDay, type);
          if (changes === 0) continue;
          this.#seal.remove(before);
          changed.push({ ticker, exDay, type });
        }
        for (const action of put) {
          const { ticker, exDay, type } = action;
          const row = toActionRow(action);
          const before = this.#hashOf(action);
          const { changes } = this.#put.run(...row);
          if (changes === 0) continue;
          this.#seal.remove(before);
          this.#seal.add([hashOfAction(row)]);
          changed.push({ ticker, exDay, type });
        }
        if (changed.length > 0) this.#raise.run();
        return changed;
      }),
    );
  }

  /** The hash of the stored action. Empty if there is none. */
  #hashOf({ ticker, exDay, type }: ActionKey): readonly number[] {
    const row = this.#find.get(ticker, exDay, type);
    return row === undefined ? [] : [hashOfAction(row as unknown as ActionRow)];
  }
}
