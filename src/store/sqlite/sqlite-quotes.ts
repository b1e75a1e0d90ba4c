import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { StoredQuote } from '../../domain/stored-quote.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { QuoteCommit, QuoteStore } from '../quote-store.ts';
import { damaged, readOnlyFault, withFaults } from './sqlite-fault.ts';
import type { SqliteHistoryWriter } from './sqlite-history-writer.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** What a quote holds besides its ticker and version. */
type QuoteState = Omit<StoredQuote, 'ticker' | 'version'>;

/** Keeps the latest quotes, each as one row. */
export class SqliteQuoteStore implements QuoteStore {
  readonly #path: string;
  readonly #all: StatementSync;
  readonly #put: StatementSync | undefined;
  readonly #history: SqliteHistoryWriter | undefined;

  /** Without the two writers, the second of which is for closes, quotes can only be read. */
  constructor(
    path: string,
    reader: DatabaseSync,
    writer?: SqliteWriter,
    history?: SqliteHistoryWriter,
  ) {
    this.#path = path;
    this.#all = reader.prepare('SELECT ticker, version, state FROM quotes');
    this.#history = history;
    this.#put = writer?.database.prepare(`
      INSERT INTO quotes (ticker, version, state) VALUES (?, ?, ?)
      ON CONFLICT (ticker) DO UPDATE SET version = excluded.version, state = excluded.state`);
  }

  async readAll(): Promise<readonly StoredQuote[]> {
    const rows = withFaults(this.#path, () => this.#all.all());
    return (rows as unknown as readonly (readonly [Ticker, number, string])[]).map(
      ([ticker, version, state]) => ({ ticker, version, ...this.#parse(ticker, state) }),
    );
  }

  async commit({ quotes, closes }: QuoteCommit): Promise<void> {
    const history = this.#history;
    const put = this.#put;
    if (history === undefined || put === undefined) throw readOnlyFault(this.#path);
    await history.transaction(async (transaction) => {
      for (const { ticker, close } of closes) await transaction.put(ticker, [close]);
      withFaults(this.#path, () => {
        for (const { ticker, version, session, references } of quotes) {
          put.run(ticker, version, JSON.stringify({ session, references } satisfies QuoteState));
        }
      });
    });
  }

  #parse(ticker: Ticker, state: string): QuoteState {
    try {
      return JSON.parse(state) as QuoteState;
    } catch (cause) {
      throw damaged(this.#path, `the quote of ${ticker} cannot be read`, cause);
    }
  }
}
