import type { StatementSync } from 'node:sqlite';

import type { StoredQuote } from '../../domain/stored-quote.ts';
import type { QuoteCommit } from '../quote-store.ts';
import { withFaults } from './sqlite-fault.ts';
import type { SqliteHistoryWriter } from './sqlite-history-writer.ts';
import type { QuoteState } from './sqlite-quote-reader.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { QuoteWriter } from './write-side.ts';

/** Writes the latest quotes, one row each, together with the closes of the sessions they replaced. */
export class SqliteQuoteWriter implements QuoteWriter {
  readonly #path: string;
  readonly #put: StatementSync;
  readonly #history: SqliteHistoryWriter;

  constructor(writer: SqliteWriter, history: SqliteHistoryWriter, path: string) {
    this.#path = path;
    this.#history = history;
    this.#put = writer.database.prepare(`
      INSERT INTO quotes (ticker, version, state) VALUES (?, ?, ?)
      ON CONFLICT (ticker) DO UPDATE SET version = excluded.version, state = excluded.state`);
  }

  commit({ quotes, closes }: QuoteCommit): Promise<void> {
    return this.#history.transaction(async (transaction) => {
      for (const { ticker, close } of closes) await transaction.put(ticker, [close]);
      withFaults(this.#path, () => this.#putAll(quotes));
    });
  }

  #putAll(quotes: readonly StoredQuote[]): void {
    for (const { ticker, version, ...rest } of quotes) {
      const state: QuoteState = rest;
      this.#put.run(ticker, version, JSON.stringify(state));
    }
  }
}
