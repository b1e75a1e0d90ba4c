import type { StoreChange } from '../../../domain/changes/version.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { float8Array, int4Array, int8Array, textArray } from '../session/binary-arrays.ts';
import type { Session, Statement } from '../session/session.ts';
import { raiseCloses, priceColumns } from './staged-closes.ts';
import { requireFinite } from '../../encoding/close-row.ts';

const nextChange = `nextval(pg_get_serial_sequence('changes', 'id'))::integer`;

const idOfTicker = '(SELECT id FROM instruments WHERE ticker = $1)';

/** Both tables have these columns, which are given as $1 to $9. */
const columns = ['instrument_id', 'day', ...priceColumns, 'source_id', 'change_id'];

const given = `unnest($2::integer[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
  $8::text[], $9::integer[]`;

const givenColumns = ['day', ...priceColumns, 'source', 'change_id'];

const selected = `${idOfTicker}, day, ${priceColumns.join(', ')}, sources.id, change_id`;

const statements = {
  names: {
    text: `
      WITH tickers AS (INSERT INTO instruments (ticker) VALUES ($1) ON CONFLICT DO NOTHING)
      INSERT INTO sources (name)
      SELECT name FROM unnest($2::text[]) AS given (name)
      WHERE NOT EXISTS (SELECT FROM sources WHERE sources.name = given.name)
      ON CONFLICT DO NOTHING`,
  },
  closes: {
    text: `
      INSERT INTO closes (${columns.join(', ')})
      SELECT ${selected}
      FROM ${given}) AS given (${givenColumns.join(', ')}) LEFT JOIN sources ON sources.name = given.source`,
  },
  replaced: {
    text: `
      INSERT INTO replaced_closes (${columns.join(', ')}, replaced_by)
      SELECT ${selected}, replaced_by
      FROM ${given}, $10::integer[]) WITH ORDINALITY
        AS given (${givenColumns.join(', ')}, replaced_by, place)
      LEFT JOIN sources ON sources.name = given.source ORDER BY place`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

/** Marks the instruments ($2) that were restored with a new revision. $1: the channel of notifications. */
export const raiseRestored: Statement = {
  text: `
    WITH ids AS (SELECT id AS instrument_id FROM instruments WHERE ticker = ANY ($2::text[])), ${raiseCloses}
    SELECT (SELECT count(pg_notify($1, 'history')) FROM raised)`,
};

/** Stores the closes of whole instruments with their memory, within the transaction of a session. */
export class CloseRestore {
  readonly #session: Session;
  readonly #changeIds = new Map<string, number>();
  readonly #tickers = new Set<Ticker>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** The instruments that were restored. */
  get tickers(): readonly Ticker[] {
    return [...this.#tickers];
  }

  async restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
    for (const { value } of versions) requireFinite(value);
    this.#tickers.add(ticker);
    const sources = new Set(versions.flatMap(({ value }) => value.source ?? []));
    await this.#session.query(statements.names, [ticker, textArray([...sources])]);
    for (const table of ['closes', 'replaced_closes']) {
      const text = `DELETE FROM ${table} WHERE instrument_id = ${idOfTicker}`;
      await this.#session.query({ text }, [ticker]);
    }
    await this.#addChanges(
      versions.flatMap(({ stored, replaced }) =>
        replaced === undefined ? stored : [stored, replaced],
      ),
    );
    const stored = versions.filter(isStored);
    await this.#session.query(statements.closes, [ticker, ...this.#columnsOf(stored)]);
    const replaced = versions.filter((version) => !isStored(version));
    if (replaced.length === 0) return;
    await this.#session.query(statements.replaced, [
      ticker,
      ...this.#columnsOf(replaced),
      int4Array(replaced.map((version) => this.#idOf(version.replaced))),
    ]);
  }

  async #addChanges(changes: readonly StoreChange[]): Promise<void> {
    const unknown = new Map(
      changes
        .map((change) => [keyOf(change), change] as const)
        .filter(([key]) => !this.#changeIds.has(key)),
    );
    if (unknown.size === 0) return;
    const ids = await this.#session.query<readonly [number]>(
      { text: `SELECT ${nextChange} FROM generate_series(1, $1)` },
      [unknown.size],
    );
    const rows = Array.from(unknown, ([key, change], at) => ({
      key,
      change,
      id: ids[at]?.[0] ?? 0,
    }));
    await this.#session.query(
      {
        text: `INSERT INTO changes (id, at, origin)
          SELECT * FROM unnest($1::integer[], $2::bigint[], $3::text[])`,
      },
      [
        int4Array(rows.map(({ id }) => id)),
        int8Array(rows.map(({ change }) => change.at)),
        textArray(rows.map(({ change }) => change.origin)),
      ],
    );
    for (const { key, id } of rows) this.#changeIds.set(key, id);
  }

  #idOf(change: StoreChange | undefined): number | null {
    return change === undefined ? null : (this.#changeIds.get(keyOf(change)) ?? null);
  }

  #columnsOf(versions: readonly CloseVersion[]): readonly Buffer[] {
    return [
      int4Array(versions.map(({ value }) => value.day)),
      ...priceColumns.map((column) =>
        float8Array(versions.map(({ value }) => value[column] ?? null)),
      ),
      textArray(versions.map(({ value }) => value.source ?? null)),
      int4Array(versions.map(({ stored }) => this.#idOf(stored))),
    ];
  }
}

function isStored({ replaced }: CloseVersion): boolean {
  return replaced === undefined;
}

function keyOf({ at, origin }: StoreChange): string {
  return `${at} ${origin}`;
}
