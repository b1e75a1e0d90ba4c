import type { ActionStore } from '../../contract/action-store.ts';
import { actionColumns, fromActionRow, type ActionRow } from '../../encoding/action-row.ts';
import type { Link } from '../connection/link.ts';
import type { Heads } from '../watch/heads.ts';
import { readRevision } from './read-revision.ts';

/** Reads committed corporate actions. */
export class PgActionReader implements Pick<ActionStore, 'readAll' | 'revision'> {
  readonly #link: Link;
  readonly #heads: Heads;

  constructor(link: Link, heads: Heads) {
    this.#link = link;
    this.#heads = heads;
  }

  async readAll(): ReturnType<ActionStore['readAll']> {
    // The revision is read first, so actions that are added in between are read again rather than missed.
    const revision = await readRevision(this.#link, 'actions');
    const rows = await this.#link.query<ActionRow>({
      name: 'actions',
      text: `SELECT ${actionColumns.join(', ')} FROM corporate_actions ORDER BY ticker, ex_day, type`,
    });
    return { revision, actions: rows.map((row) => fromActionRow(this.#link.where, row)) };
  }

  async revision(): Promise<number> {
    return this.#heads.current('actions') ?? readRevision(this.#link, 'actions');
  }
}
