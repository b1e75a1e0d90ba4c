import type { StatementSync } from 'node:sqlite';

import {
  areInConflict,
  conflictOf,
  type CloseConflict,
} from '../../../domain/history/offered-close.ts';
import type { TickerBar } from '../../../domain/quotes/minute-bar.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { instantOf } from '../../contract/quote-store.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import type { SqliteBarWriter } from './sqlite-bar-writer.ts';
import type { SqliteHistoryWriter } from './sqlite-history-writer.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import { hashText, sealOfQuote } from '../seals/row-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { QuoteWriter, RowCommit } from './write-side.ts';

/**
 * Writes the latest quotes, one row each, together with the closes of the sessions they replaced and the bars
 * they finished.
 */
export class SqliteQuoteWriter implements QuoteWriter {
  readonly #path: string;
  readonly #writer: SqliteWriter;
  readonly #put: StatementSync;
  readonly #find: StatementSync;
  readonly #seal: SetSeal;
  /** Instruments that have a quote. */
  readonly #known = new Set<Ticker>();
  readonly #history: SqliteHistoryWriter;
  readonly #bars: SqliteBarWriter;

  constructor(own: {
    readonly writer: SqliteWriter;
    readonly history: SqliteHistoryWriter;
    readonly bars: SqliteBarWriter;
    readonly path: string;
  }) {
    this.#path = own.path;
    this.#writer = own.writer;
    this.#history = own.history;
    this.#bars = own.bars;
    this.#put = own.writer.database.prepare(`
      INSERT INTO quotes (ticker, version, state, bar, seal) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (ticker) DO UPDATE SET version = excluded.version, state = excluded.state,
        bar = excluded.bar, seal = excluded.seal`);
    this.#find = own.writer.database.prepare('SELECT 1 FROM quotes WHERE ticker = ?');
    this.#seal = new SetSeal(own.writer.database, own.path, 'quotes');
  }

  async commit(commit: RowCommit): Promise<readonly CloseConflict[]> {
    try {
      return await this.#commit(commit);
    } catch (error) {
      // The first quotes of the transaction are not stored.
      this.#known.clear();
      throw error;
    }
  }

  #commit(commit: RowCommit): Promise<readonly CloseConflict[]> {
    const { quotes, closes, bars = [] } = commit;
    // Most commits are between two ends of sessions, and have no closes.
    if (closes.length === 0) {
      return this.#writer.transaction(() => {
        this.#putLatest(quotes, bars);
        return [];
      });
    }
    const stamp = { origin: 'session', now: () => instantOf(commit) } as const;
    return this.#history.transaction(async (transaction) => {
      const conflicts: CloseConflict[] = [];
      for (const { ticker, close } of closes) {
        const [stored] = await transaction.read(ticker, { from: close.day, to: close.day });
        if (stored !== undefined && areInConflict(stored, close)) {
          conflicts.push(conflictOf(ticker, stored, close));
        }
        await transaction.put(ticker, [close]);
      }
      this.#putLatest(quotes, bars);
      return conflicts;
    }, stamp);
  }

  #putLatest(quotes: readonly QuoteRow[], bars: readonly TickerBar[]): void {
    withFaults(this.#path, () => {
      this.#putAll(quotes);
      if (bars.length > 0) this.#bars.putWithin(bars);
    });
  }

  #putAll(quotes: readonly QuoteRow[]): void {
    const added: number[] = [];
    for (const row of quotes) {
      const [ticker] = row;
      if (!this.#known.has(ticker)) {
        if (this.#find.get(ticker) === undefined) added.push(hashText(ticker));
        this.#known.add(ticker);
      }
      this.#put.run(...row, sealOfQuote(row));
    }
    if (added.length > 0) this.#seal.add(added);
  }
}
