import type { CorporateAction } from '../../../domain/history/corporate-action.ts';
import { actionKey } from '../../../domain/history/corporate-action.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { ActionKey, ActionStore } from '../../contract/action-store.ts';
import { actionColumns, toActionRow } from '../../encoding/action-row.ts';
import { float8Array, int4Array, textArray } from '../session/binary-arrays.ts';
import type { Transactions } from '../connection/transactions.ts';

const columns = actionColumns.join(', ');
const values = actionColumns.slice(3);

/**
 * Equal actions are not written, so importing a file twice changes nothing. The revision is incremented last,
 * once all changes have been made.
 */
const text = `
  WITH removed AS (
    DELETE FROM corporate_actions AS held
    USING unnest($1::text[], $2::integer[], $3::text[]) AS gone (ticker, ex_day, type)
    WHERE held.ticker = gone.ticker AND held.ex_day = gone.ex_day AND held.type = gone.type
    RETURNING held.ticker, held.ex_day, held.type
  ), put AS (
    INSERT INTO corporate_actions AS held (${columns})
    SELECT * FROM unnest($4::text[], $5::integer[], $6::text[], $7::float8[], $8::float8[], $9::text[],
      $10::text[], $11::text[])
    ON CONFLICT (ticker, ex_day, type) DO UPDATE SET
      ${values.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (${values.map((column) => `held.${column}`).join(', ')})
      IS DISTINCT FROM (${values.map((column) => `excluded.${column}`).join(', ')})
    RETURNING ticker, ex_day, type
  ), changed AS (
    SELECT * FROM removed UNION ALL SELECT * FROM put
  ), raised AS (
    UPDATE revisions SET value = value + 1
    WHERE subject = 'actions' AND (SELECT count(*) FROM changed) > 0
    RETURNING value
  )
  SELECT ticker, ex_day, type, (SELECT count(pg_notify($12, 'actions')) FROM raised) FROM changed`;

/** Writes corporate actions. Each transaction that changes an action increases their revision by one. */
export class PgActionWriter implements Pick<ActionStore, 'apply'> {
  readonly #transactions: Transactions;
  readonly #channel: string;

  constructor(transactions: Transactions, channel: string) {
    this.#transactions = transactions;
    this.#channel = channel;
  }

  async apply({ put, remove }: Parameters<ActionStore['apply']>[0]): Promise<readonly ActionKey[]> {
    // Of two actions with one key, the later one is stored.
    const latest = new Map(put.map((action) => [actionKey(action), toActionRow(action)]));
    const rows = [...latest.values()];
    const texts = (at: 0 | 2 | 5 | 6 | 7): Buffer => textArray(rows.map((row) => row[at]));
    const numbers = (at: 3 | 4): Buffer => float8Array(rows.map((row) => row[at]));
    const changed = await this.#transactions.run((session) =>
      session.query<readonly [Ticker, EpochDay, CorporateAction['type'], number]>({ text }, [
        textArray(remove.map(({ ticker }) => ticker)),
        int4Array(remove.map(({ exDay }) => exDay)),
        textArray(remove.map(({ type }) => type)),
        texts(0),
        int4Array(rows.map((row) => row[1])),
        texts(2),
        numbers(3),
        numbers(4),
        texts(5),
        texts(6),
        texts(7),
        this.#channel,
      ]),
    );
    return changed.map(([ticker, exDay, type]) => ({ ticker, exDay, type }));
  }
}
