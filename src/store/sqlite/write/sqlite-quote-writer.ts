import type { StatementSync } from 'node:sqlite';

import { areInConflict, conflictOf } from '../../../domain/offered-close.ts';
import type { CloseConflict } from '../../../domain/offered-close.ts';
import type { StoredQuote } from '../../../domain/stored-quote.ts';
import type { QuoteCommit } from '../../quote-store.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import type { SqliteBarWriter } from './sqlite-bar-writer.ts';
import type { SqliteHistoryWriter } from './sqlite-history-writer.ts';
import { LiveBarPacker } from '../../encoding/live-bar-column.ts';
import { quoteState } from '../../encoding/quote-row.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { QuoteWriter } from './write-side.ts';

/**
 * Writes the latest quotes, one row each, together with the closes of the sessions they replaced and the bars
 * they finished.
 */
export class SqliteQuoteWriter implements QuoteWriter {
  readonly #path: string;
  readonly #put: StatementSync;
  readonly #history: SqliteHistoryWriter;
  readonly #bars: SqliteBarWriter;
  readonly #bar = new LiveBarPacker();

  constructor(own: {
    readonly writer: SqliteWriter;
    readonly history: SqliteHistoryWriter;
    readonly bars: SqliteBarWriter;
    readonly path: string;
  }) {
    this.#path = own.path;
    this.#history = own.history;
    this.#bars = own.bars;
    this.#put = own.writer.database.prepare(`
      INSERT INTO quotes (ticker, version, state, bar) VALUES (?, ?, ?, ?)
      ON CONFLICT (ticker) DO UPDATE SET version = excluded.version, state = excluded.state,
        bar = excluded.bar`);
  }

  commit({ quotes, closes, bars = [] }: QuoteCommit): Promise<readonly CloseConflict[]> {
    return this.#history.transaction(async (transaction) => {
      const conflicts: CloseConflict[] = [];
      for (const { ticker, close } of closes) {
        const [stored] = await transaction.read(ticker, { from: close.day, to: close.day });
        if (stored !== undefined && areInConflict(stored, close)) {
          conflicts.push(conflictOf(ticker, stored, close));
        }
        await transaction.put(ticker, [close]);
      }
      withFaults(this.#path, () => {
        this.#putAll(quotes);
        this.#bars.putWithin(bars);
      });
      return conflicts;
    });
  }

  #putAll(quotes: readonly StoredQuote[]): void {
    for (const quote of quotes) {
      const { ticker, version, bar } = quote;
      this.#put.run(ticker, version, quoteState(quote), this.#bar.pack(bar));
    }
  }
}
