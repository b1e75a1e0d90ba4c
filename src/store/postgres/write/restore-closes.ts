import type { StoreChange } from '../../../domain/changes/version.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { toCloseRow } from '../../encoding/close-row.ts';
import type { Columns } from '../../sql/sql.ts';
import type { PgTransaction } from '../sql/pg-driver.ts';
import type { Statement } from '../session/session.ts';
import { addNames, closeColumns, raiseCloses } from './staged-closes.ts';

const versionColumns: Columns = {
  ticker: 'text',
  ...closeColumns,
  change_id: 'integer',
  replaced_by: 'integer?',
};

const insertText =
  (table: string, more = '') =>
  (given: string) =>
    `
  INSERT INTO ${table} (instrument_id, day, close, volume, open, high, low, source_id, change_id${more})
  SELECT instruments.id, day, close, volume, open, high, low, sources.id, change_id${more}
  FROM ${given} JOIN instruments ON instruments.ticker = given.ticker
  LEFT JOIN sources ON sources.name = source ORDER BY place`;

/** Marks the instruments ($2) that were restored with a new revision. $1: the channel of notifications. */
export const raiseRestored: Statement = {
  text: `
    WITH ids AS (SELECT id AS instrument_id FROM instruments WHERE ticker = ANY ($2::text[])), ${raiseCloses}
    SELECT (SELECT count(pg_notify($1, 'closes')) FROM raised)`,
};

/** Stores the closes of whole instruments with their memory, within a transaction. */
export class CloseRestore {
  readonly #sql: PgTransaction;
  readonly #changeIds = new Map<string, number>();
  /** The instruments that were restored. */
  readonly tickers = new Set<Ticker>();

  constructor(sql: PgTransaction) {
    this.#sql = sql;
  }

  async restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
    this.tickers.add(ticker);
    const closes = versions.map(({ value }) => toCloseRow(value));
    const sources = new Set([null, ...closes.map((close) => close[6])]);
    const names = Array.from(sources, (source) => [ticker, source]);
    await this.#sql.batch({ ticker: 'text', source: 'text?' }, names, (given) =>
      addNames(given, 'given'),
    );
    for (const table of ['closes', 'replaced_closes']) {
      const id = 'SELECT id FROM instruments WHERE ticker = $1';
      await this.#sql.all(`DELETE FROM ${table} WHERE instrument_id = (${id})`, [ticker]);
    }
    await this.#addChanges(
      versions.flatMap(({ stored, replaced }) => [stored, replaced ?? stored]),
    );
    const rows = versions.map(({ stored, replaced }, at) => [
      ticker,
      ...(closes[at] ?? []),
      this.#idOf(stored),
      replaced === undefined ? null : this.#idOf(replaced),
    ]);
    await this.#sql.batch(versionColumns, rows.filter(isStored), insertText('closes'));
    await this.#sql.batch(
      versionColumns,
      rows.filter((row) => !isStored(row)),
      insertText('replaced_closes', ', replaced_by'),
    );
  }

  async #addChanges(changes: readonly StoreChange[]): Promise<void> {
    const unknown = new Map(
      changes
        .filter((change) => !this.#changeIds.has(keyOf(change)))
        .map((change) => [keyOf(change), [change.at, change.origin]]),
    );
    const added = await this.#sql.batch<readonly [number, number, StoreChange['origin']]>(
      { at: 'big', origin: 'text' },
      [...unknown.values()],
      (given) => `INSERT INTO changes (at, origin) SELECT at, origin FROM ${given} ORDER BY place
        RETURNING id, at, origin`,
    );
    for (const [id, at, origin] of added) this.#changeIds.set(keyOf({ at, origin }), id);
  }

  #idOf(change: StoreChange): number | null {
    return this.#changeIds.get(keyOf(change)) ?? null;
  }
}

function isStored(row: readonly unknown[]): boolean {
  return row.at(-1) === null;
}

function keyOf({ at, origin }: StoreChange): string {
  return `${at} ${origin}`;
}
