import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { StoredQuote } from '../../../domain/quotes/stored-quote.ts';
import type { QuoteStore } from '../../contract/quote-store.ts';
import { fromQuoteRow, type QuoteRow } from '../../encoding/quote-row.ts';
import { damaged } from '../../contract/store-fault.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { hashText, sealOfQuote } from '../seals/row-hash.ts';
import { SetSeal, Snapshot } from '../seals/set-seal.ts';

/** A row of `quotes`, with its seal. */
type SealedRow = readonly [...QuoteRow, seal: number | null];

/** Reads the committed latest quotes, each of which is compared with its seal. */
export class SqliteQuoteReader implements Pick<QuoteStore, 'readAll' | 'readNewer'> {
  readonly #path: string;
  readonly #snapshot: Snapshot;
  readonly #seal: SetSeal;
  readonly #all: StatementSync;
  readonly #newer: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#snapshot = new Snapshot(database);
    this.#seal = new SetSeal(database, path, 'quotes');
    this.#all = database.prepare('SELECT ticker, version, state, bar, seal FROM quotes');
    this.#newer = database.prepare(
      'SELECT ticker, version, state, bar, seal FROM quotes WHERE version > ? ORDER BY version',
    );
  }

  async readAll(): Promise<readonly StoredQuote[]> {
    const rows = withFaults(this.#path, () =>
      this.#snapshot.run(() => {
        const all = this.#all.all() as unknown as readonly SealedRow[];
        this.#seal.verify(all.map(([ticker]) => hashText(ticker)));
        return all;
      }),
    );
    return this.#quotesOf(rows);
  }

  async readNewer(version: number): Promise<readonly StoredQuote[]> {
    const rows = withFaults(this.#path, () => this.#newer.all(version));
    return this.#quotesOf(rows as unknown as readonly SealedRow[]);
  }

  #quotesOf(rows: readonly SealedRow[]): readonly StoredQuote[] {
    return rows.map(([ticker, version, state, bar, seal]) => {
      const row = [ticker, version, state, bar] as const;
      if (seal !== sealOfQuote(row)) {
        throw damaged(this.#path, `the quote of ${ticker} is not as it was stored`);
      }
      return fromQuoteRow(this.#path, row);
    });
  }
}
