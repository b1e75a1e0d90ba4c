import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { CorporateAction } from '../../../domain/corporate-action.ts';
import type { ActionStore } from '../../action-store.ts';
import { actionColumns, fromActionRow } from '../../encoding/action-row.ts';
import type { ActionRow } from '../../encoding/action-row.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';

/** Maximum number of actions that are read without yielding to the event loop: 2 to 4 ms. */
const actionsPerTurn = 2_000;

/** Reads committed corporate actions. */
export class SqliteActionReader implements Pick<ActionStore, 'readAll' | 'revision'> {
  readonly #path: string;
  readonly #page: StatementSync;
  readonly #revision: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#page = database.prepare(`
      SELECT ${actionColumns.join(', ')} FROM corporate_actions
      WHERE (ticker, ex_day, type) > (?, ?, ?)
      ORDER BY ticker, ex_day, type LIMIT ${actionsPerTurn}`);
    this.#revision = database.prepare(`SELECT value FROM revisions WHERE subject = 'actions'`);
  }

  async readAll(): ReturnType<ActionStore['readAll']> {
    // The revision is read first, so actions that are added in between are read again rather than missed.
    const revision = await this.revision();
    const actions: CorporateAction[] = [];
    // No key is before this one.
    let last: readonly [string, number, string] = ['', 0, ''];
    for (;;) {
      const page = this.#read(last);
      for (const row of page) actions.push(fromActionRow(this.#path, row));
      const end = page[actionsPerTurn - 1];
      if (end === undefined) return { revision, actions };
      last = [end[0], end[1], end[2]];
      await nextTurn();
    }
  }

  async revision(): Promise<number> {
    return soundNumber(
      this.#path,
      withFaults(this.#path, () => this.#revision.get()),
    );
  }

  #read(after: readonly [string, number, string]): readonly ActionRow[] {
    const rows = withFaults(this.#path, () => this.#page.all(...after));
    return rows as unknown as readonly ActionRow[];
  }
}
