import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { StoredQuote } from '../../../domain/stored-quote.ts';
import type { QuoteStore } from '../../quote-store.ts';
import { fromQuoteRow } from '../../encoding/quote-row.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import { withFaults } from '../file/sqlite-fault.ts';

/** Reads the committed latest quotes. */
export class SqliteQuoteReader implements Pick<QuoteStore, 'readAll' | 'readNewer'> {
  readonly #path: string;
  readonly #all: StatementSync;
  readonly #newer: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#all = database.prepare('SELECT ticker, version, state, bar FROM quotes');
    this.#newer = database.prepare(
      'SELECT ticker, version, state, bar FROM quotes WHERE version > ? ORDER BY version',
    );
  }

  async readAll(): Promise<readonly StoredQuote[]> {
    return this.#quotesOf(withFaults(this.#path, () => this.#all.all()));
  }

  async readNewer(version: number): Promise<readonly StoredQuote[]> {
    return this.#quotesOf(withFaults(this.#path, () => this.#newer.all(version)));
  }

  #quotesOf(rows: readonly unknown[]): readonly StoredQuote[] {
    return (rows as readonly QuoteRow[]).map((row) => fromQuoteRow(this.#path, row));
  }
}
