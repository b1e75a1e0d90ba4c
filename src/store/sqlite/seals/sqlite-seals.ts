import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import type { Row, Seals } from '../../sql/sql.ts';
import type { SqliteConnection } from '../file/connection.ts';
import { BarSeals } from './bar-seals.ts';
import { CloseSeals } from './close-seals.ts';
import { addHash, hashRow, hashText, sealOfQuote } from './row-hash.ts';

/**
 * Compares what a connection has read with the seals. Besides those of closes and bars, each table that is read as a whole
 * has one: the number of its rows, and the sum of their hashes.
 */
export class SqliteSeals extends CloseSeals implements Seals {
  readonly barSeals: BarSeals;

  constructor(connection: SqliteConnection) {
    super(connection);
    this.barSeals = new BarSeals(connection);
  }

  table(subject: string, rows: readonly Row[]): void {
    this.#verify(subject, rows.map(hashRow));
  }

  instrument(ticker: Ticker): void {
    this.idOf(ticker);
  }

  bars(ticker: Ticker, range: Parameters<Seals['bars']>[1], bars: readonly Bar[]): void {
    this.barSeals.verify(this.idOf(ticker), range, bars);
  }

  /** @param rows with their seal as the last column. */
  quotes(rows: readonly Row[], { areAll }: { readonly areAll: boolean }): void {
    for (const row of rows) {
      if (row[3] === sealOfQuote(row as unknown as QuoteRow)) continue;
      throw this.damaged(`the quote of ${String(row[0])} is not as it was stored`);
    }
    if (!areAll) return;
    this.#verify(
      'quotes',
      rows.map(([ticker]) => hashText(String(ticker))),
    );
  }

  /**
   * Adds rows, by their hashes, to the seal of a table and takes others out of it, within the transaction that changes the
   * rows.
   */
  changeTable(
    subject: string,
    {
      added = [],
      removed = [],
    }: { readonly added?: readonly number[]; readonly removed?: readonly number[] },
  ): void {
    if (added.length + removed.length === 0) return;
    this.connection.all(
      'UPDATE seals SET rows = rows + $1, hash = (hash + $2) & 4294967295 WHERE subject = $3',
      [added.length - removed.length, sumOf(added) - sumOf(removed), subject],
    );
  }

  /** Takes all rows out of the seal of a table. */
  clearTable(subject: string): void {
    this.connection.all('UPDATE seals SET rows = 0, hash = 0 WHERE subject = $1', [subject]);
  }

  #verify(subject: string, hashes: readonly number[]): void {
    const text = 'SELECT rows, hash FROM seals WHERE subject = $1';
    const [[rows, hash] = []] = this.connection.all(text, [subject]);
    if (rows === hashes.length && hash === sumOf(hashes)) return;
    throw this.damaged(
      `the table of ${subject} gives ${hashes.length} rows, which are not the ${String(rows)} that were stored`,
    );
  }
}

function sumOf(hashes: readonly number[]): number {
  return hashes.reduce(addHash, 0);
}
