import { actionKey, type CorporateAction } from '../../../domain/history/corporate-action.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { ActionVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { ActionKey, ActionStore } from '../../contract/action-store.ts';
import {
  actionColumns,
  replacedActionColumns,
  rowsOfActionVersions,
  storedActionColumns,
  toActionRow,
  type ActionRow,
  type StoredActionRow,
} from '../../encoding/action-row.ts';
import { float8Array, int4Array, int8Array, textArray } from '../session/binary-arrays.ts';
import type { Transactions } from '../connection/transactions.ts';
import type { Session } from '../session/session.ts';

const columns = actionColumns.join(', ');
const values = actionColumns.slice(3);
const storedColumns = storedActionColumns.join(', ');
const replacedColumns = replacedActionColumns.join(', ');
const heldColumns = storedActionColumns.map((column) => `held.${column}`).join(', ');

/** Whether a stored action differs from a given one. */
const differs = `(${values.map((column) => `held.${column}`).join(', ')})
  IS DISTINCT FROM (${values.map((column) => `given.${column}`).join(', ')})`;

/** Other writers wait until the transaction ends, and readers do not. So the statement sees what it replaces. */
const lockText = 'LOCK TABLE corporate_actions, replaced_actions IN SHARE ROW EXCLUSIVE MODE';

/**
 * Equal actions are not written, so importing a file twice changes nothing. The revision is incremented last,
 * once all changes have been made.
 */
const applyText = `
  WITH gone AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::text[]) AS gone (ticker, ex_day, type)
  ), given AS (
    SELECT * FROM unnest($4::text[], $5::integer[], $6::text[], $7::float8[], $8::float8[], $9::text[],
      $10::text[], $11::text[]) AS given (${columns})
  ), kept AS (
    INSERT INTO replaced_actions (${replacedColumns})
    SELECT ${heldColumns}, $13::bigint, $14::text
    FROM corporate_actions AS held
    LEFT JOIN gone USING (ticker, ex_day, type)
    LEFT JOIN given ON given.ticker = held.ticker AND given.ex_day = held.ex_day AND given.type = held.type
    WHERE gone.ticker IS NOT NULL OR (given.ticker IS NOT NULL AND ${differs})
    ORDER BY held.ticker, held.ex_day, held.type
  ), removed AS (
    DELETE FROM corporate_actions AS held USING gone
    WHERE held.ticker = gone.ticker AND held.ex_day = gone.ex_day AND held.type = gone.type
    RETURNING held.ticker, held.ex_day, held.type
  ), put AS (
    INSERT INTO corporate_actions AS held (${storedColumns})
    SELECT given.*, $13::bigint, $14::text FROM given
    ON CONFLICT (ticker, ex_day, type) DO UPDATE SET
      ${[...values, 'stored_at', 'stored_by'].map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE ${differs.replaceAll('given.', 'excluded.')}
    RETURNING ticker, ex_day, type
  ), changed AS (
    SELECT * FROM removed UNION ALL SELECT * FROM put
  ), raised AS (
    UPDATE revisions SET value = value + 1
    WHERE subject = 'actions' AND (SELECT count(*) FROM changed) > 0
    RETURNING value
  )
  SELECT ticker, ex_day, type, (SELECT count(pg_notify($12, 'actions')) FROM raised) FROM changed`;

const given = `$1::text[], $2::integer[], $3::text[], $4::float8[], $5::float8[], $6::text[], $7::text[],
  $8::text[], $9::bigint[], $10::text[]`;

const restoreTexts = {
  stored: `INSERT INTO corporate_actions (${storedColumns}) SELECT * FROM unnest(${given})`,
  replaced: `
    INSERT INTO replaced_actions (${replacedColumns})
    SELECT ${replacedColumns}
    FROM unnest(${given}, $11::bigint[], $12::text[]) WITH ORDINALITY AS given (${replacedColumns}, place)
    ORDER BY place`,
  raise: `
    WITH raised AS (
      UPDATE revisions SET value = value + 1 WHERE subject = 'actions' RETURNING value
    )
    SELECT pg_notify($1, 'actions') FROM raised`,
} as const;

/** Writes corporate actions. Each transaction that changes an action increases their revision by one. */
export class PgActionWriter implements Pick<ActionStore, 'apply' | 'restore'> {
  readonly #transactions: Transactions;
  readonly #channel: string;

  constructor(transactions: Transactions, channel: string) {
    this.#transactions = transactions;
    this.#channel = channel;
  }

  async apply(
    ...[{ put, remove }, { at, origin }]: Parameters<ActionStore['apply']>
  ): Promise<readonly ActionKey[]> {
    // Of two actions with one key, the later one is stored.
    const latest = new Map(put.map((action) => [actionKey(action), toActionRow(action)]));
    const changed = await this.#transact((session) =>
      session.query<readonly [Ticker, EpochDay, CorporateAction['type'], number]>(
        { text: applyText },
        [
          textArray(remove.map(({ ticker }) => ticker)),
          int4Array(remove.map(({ exDay }) => exDay)),
          textArray(remove.map(({ type }) => type)),
          ...columnsOf([...latest.values()]),
          this.#channel,
          at,
          origin,
        ],
      ),
    );
    return changed.map(([ticker, exDay, type]) => ({ ticker, exDay, type }));
  }

  async restore(versions: readonly ActionVersion[]): Promise<void> {
    const { stored, replaced } = rowsOfActionVersions(versions);
    await this.#transact(async (session) => {
      await session.query({ text: 'DELETE FROM corporate_actions' });
      await session.query({ text: 'DELETE FROM replaced_actions' });
      await session.query({ text: restoreTexts.stored }, storedColumnsOf(stored));
      await session.query({ text: restoreTexts.replaced }, [
        ...storedColumnsOf(replaced.map((row) => row.slice(0, 10) as unknown as StoredActionRow)),
        int8Array(replaced.map((row) => row[10])),
        textArray(replaced.map((row) => row[11])),
      ]);
      await session.query({ text: restoreTexts.raise }, [this.#channel]);
    });
  }

  #transact<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#transactions.run(async (session) => {
      await session.query({ text: lockText });
      return work(session);
    });
  }
}

function columnsOf(rows: readonly (ActionRow | StoredActionRow)[]): readonly Buffer[] {
  const texts = (at: 0 | 2 | 5 | 6 | 7): Buffer => textArray(rows.map((row) => row[at]));
  const numbers = (at: 3 | 4): Buffer => float8Array(rows.map((row) => row[at]));
  const days = int4Array(rows.map((row) => row[1]));
  return [texts(0), days, texts(2), numbers(3), numbers(4), texts(5), texts(6), texts(7)];
}

function storedColumnsOf(rows: readonly StoredActionRow[]): readonly Buffer[] {
  return [
    ...columnsOf(rows),
    int8Array(rows.map((row) => row[8])),
    textArray(rows.map((row) => row[9])),
  ];
}
