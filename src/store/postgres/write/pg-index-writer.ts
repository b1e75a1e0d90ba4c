import type { StoreChange } from '../../../domain/changes/version.ts';
import type {
  IndexValue,
  ReplacedIndexValue,
  StoredIndexValue,
} from '../../../domain/indices/index-value.ts';
import type { IndexPut, IndexStore } from '../../contract/index-store.ts';
import {
  fromReplacedIndexRow,
  indexColumns,
  lastOfEachDay,
  replacedIndexColumns,
  requireIndexValues,
  type ReplacedIndexRow,
} from '../../encoding/index-row.ts';
import type { Transactions } from '../connection/transactions.ts';
import { float8Array, int4Array, int8Array, textArray } from '../session/binary-arrays.ts';
import type { Session } from '../session/session.ts';

const columns = indexColumns.join(', ');
const replacedColumns = replacedIndexColumns.join(', ');

/** Other writers wait until the transaction ends, and readers do not. */
const lockText = 'LOCK TABLE index_values, replaced_index_values IN SHARE ROW EXCLUSIVE MODE';

const raised = `
  raised AS (
    UPDATE revisions SET value = value + 1
    WHERE subject = 'indices' AND (SELECT count(*) FROM changed) > 0
    RETURNING value
  )`;

/** Equal values are not written, so importing a file twice changes nothing. */
const putText = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::float8[], $4::text[])
      WITH ORDINALITY AS given (name, day, value, source, place)
  ), kept AS (
    INSERT INTO replaced_index_values (${replacedColumns})
    SELECT ${indexColumns.map((column) => `held.${column}`).join(', ')}, $5::bigint, $7::text
    FROM index_values AS held JOIN given USING (name, day)
    WHERE held.value <> given.value ORDER BY given.place
    RETURNING position, ${replacedColumns}
  ), changed AS (
    INSERT INTO index_values AS held (${columns})
    SELECT name, day, value, source, $5::bigint, $7::text FROM given
    ON CONFLICT (name, day) DO UPDATE SET value = excluded.value, source = excluded.source,
      stored_at = excluded.stored_at, stored_by = excluded.stored_by
    WHERE held.value <> excluded.value
    RETURNING 1
  ), ${raised}
  SELECT (SELECT count(*) FROM changed), (SELECT count(pg_notify($6, 'indices')) FROM raised),
    ${replacedColumns}
  FROM (SELECT 1) AS one LEFT JOIN kept ON true ORDER BY position`;

const restoreText = `
  WITH put AS (
    INSERT INTO index_values (${columns})
    SELECT * FROM unnest($1::text[], $2::integer[], $3::float8[], $4::text[], $5::bigint[], $6::text[])
    RETURNING 1
  ), kept AS (
    INSERT INTO replaced_index_values (${replacedColumns})
    SELECT ${replacedColumns}
    FROM unnest($7::text[], $8::integer[], $9::float8[], $10::text[], $11::bigint[], $12::text[],
      $13::bigint[], $14::text[]) WITH ORDINALITY AS given (${replacedColumns}, place)
    ORDER BY place
    RETURNING 1
  ), changed AS (SELECT 1), ${raised}
  SELECT pg_notify($15, 'indices') FROM raised`;

/** Writes values of indices. Each transaction that changes a value increases their revision by one. */
export class PgIndexWriter implements Pick<IndexStore, 'put' | 'restore'> {
  readonly #transactions: Transactions;
  readonly #channel: string;

  constructor(transactions: Transactions, channel: string) {
    this.#transactions = transactions;
    this.#channel = channel;
  }

  async put(values: readonly IndexValue[], { at, origin }: StoreChange): Promise<IndexPut> {
    requireIndexValues(values);
    if (values.length === 0) return { added: 0, replaced: [] };
    const given = lastOfEachDay(values);
    const rows = await this.#transactions.run(async (session) => {
      await session.query({ text: lockText });
      return session.query<readonly [number, number, ...ReplacedIndexRow]>({ text: putText }, [
        ...columnsOf(given),
        at,
        this.#channel,
        origin,
      ]);
    });
    const changed = rows[0]?.[0] ?? 0;
    const replaced = rows.flatMap(([, , ...row]): readonly ReplacedIndexValue[] =>
      row[0] === null ? [] : [fromReplacedIndexRow(row)],
    );
    return { added: changed - replaced.length, replaced };
  }

  async restore({ values, replaced }: Parameters<IndexStore['restore']>[0]): Promise<void> {
    requireIndexValues(values);
    requireIndexValues(replaced);
    await this.#transactions.run(async (session) => {
      await session.query({ text: lockText });
      await this.#clear(session);
      await session.query({ text: restoreText }, [
        ...storedColumnsOf(values),
        ...storedColumnsOf(replaced),
        int8Array(replaced.map(({ replacedAt }) => replacedAt)),
        textArray(replaced.map(({ replacedBy }) => replacedBy)),
        this.#channel,
      ]);
    });
  }

  async #clear(session: Session): Promise<void> {
    await session.query({ text: 'DELETE FROM index_values' });
    await session.query({ text: 'DELETE FROM replaced_index_values' });
  }
}

function columnsOf(values: readonly IndexValue[]): readonly Buffer[] {
  return [
    textArray(values.map(({ index }) => index)),
    int4Array(values.map(({ day }) => day)),
    float8Array(values.map(({ value }) => value)),
    textArray(values.map(({ source }) => source)),
  ];
}

function storedColumnsOf(values: readonly StoredIndexValue[]): readonly Buffer[] {
  return [
    ...columnsOf(values),
    int8Array(values.map(({ storedAt }) => storedAt)),
    textArray(values.map(({ storedBy }) => storedBy)),
  ];
}
