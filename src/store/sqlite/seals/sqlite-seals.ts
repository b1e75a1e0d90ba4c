import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import { damaged } from '../../contract/store-fault.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import type { Row, Seals } from '../../sql/sql.ts';
import type { SqliteConnection } from '../file/connection.ts';
import { BarSeals } from './bar-seals.ts';
import { CloseSeals } from './close-seals.ts';
import { addHash, hashRow, hashText, sealOfQuote } from './row-hash.ts';

/** Compares what a connection has read with the seals. */
export class SqliteSeals extends CloseSeals implements Seals {
  readonly #sets: SetSeals;
  readonly #bars: BarSeals;

  constructor(connection: SqliteConnection) {
    super(connection);
    this.#bars = new BarSeals(connection);
    this.#sets = new SetSeals(connection);
  }

  table(subject: string, rows: readonly Row[]): void {
    this.#sets.verify(subject, rows.map(hashRow));
  }

  instrument(ticker: Ticker): void {
    this.idOf(ticker);
  }

  bars(ticker: Ticker, range: Parameters<Seals['bars']>[1], bars: readonly Bar[]): void {
    this.#bars.verify(this.idOf(ticker), range, bars);
  }

  /** @param rows with their seal as the last column. */
  quotes(rows: readonly Row[], { areAll }: { readonly areAll: boolean }): void {
    for (const row of rows) {
      if (row[3] === sealOfQuote(row as unknown as QuoteRow)) continue;
      throw this.damaged(`the quote of ${String(row[0])} is not as it was stored`);
    }
    if (!areAll) return;
    this.#sets.verify(
      'quotes',
      rows.map(([ticker]) => hashText(String(ticker))),
    );
  }
}

/** The seals of the tables that are read as a whole: the number of their rows, and the sum of their hashes. */
export class SetSeals {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Adds rows, by their hashes, to a seal and takes others out of it, within the transaction that changes the rows. */
  change(
    subject: string,
    {
      added = [],
      removed = [],
    }: { readonly added?: readonly number[]; readonly removed?: readonly number[] },
  ): void {
    if (added.length + removed.length === 0) return;
    this.#connection.all(
      'UPDATE seals SET rows = rows + $1, hash = (hash + $2) & 4294967295 WHERE subject = $3',
      [added.length - removed.length, sumOf(added) - sumOf(removed), subject],
    );
  }

  /** Takes all rows out of a seal. */
  clear(subject: string): void {
    this.#connection.all('UPDATE seals SET rows = 0, hash = 0 WHERE subject = $1', [subject]);
  }

  /**
   * Compares all rows of a table with its seal.
   *
   * @throws StoreFault `corrupt`
   */
  verify(subject: string, hashes: readonly number[]): void {
    const [[rows, hash] = []] = this.#connection.all(
      'SELECT rows, hash FROM seals WHERE subject = $1',
      [subject],
    );
    if (rows === hashes.length && hash === sumOf(hashes)) return;
    throw damaged(
      this.#connection.where,
      `the table of ${subject} gives ${hashes.length} rows, which are not the ${String(rows)} that were stored`,
    );
  }
}

function sumOf(hashes: readonly number[]): number {
  return hashes.reduce(addHash, 0);
}
