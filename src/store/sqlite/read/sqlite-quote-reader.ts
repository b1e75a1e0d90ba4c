import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ReferenceClose, ReferenceCloses } from '../../../domain/reference-closes.ts';
import type { StoredQuote } from '../../../domain/stored-quote.ts';
import type { Ticker } from '../../../domain/ticker.ts';
import type { QuoteStore } from '../../quote-store.ts';
import { unpackLiveBar } from '../rows/live-bar-column.ts';
import { damaged, withFaults } from '../file/sqlite-fault.ts';

/** The fields of a quote that its row stores as JSON: all except ticker, version and bar. */
export type QuoteState = Omit<StoredQuote, 'ticker' | 'version' | 'bar'>;

/** A quote's state as any version of this program may have stored it. Old references have no day. */
interface StoredState {
  readonly plainVersion?: number | undefined;
  readonly session: QuoteState['session'];
  readonly source?: QuoteState['source'];
  readonly references: Readonly<Partial<Record<keyof ReferenceCloses, ReferenceClose | number>>>;
}

type QuoteRow = readonly [ticker: Ticker, version: number, state: string, bar: Uint8Array | null];

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
    return (rows as readonly QuoteRow[]).map(([ticker, version, state, bar]) => ({
      ticker,
      version,
      ...this.#parse(ticker, state),
      ...(bar === null ? {} : { bar: unpackLiveBar(this.#path, bar) }),
    }));
  }

  #parse(ticker: Ticker, state: string): QuoteState {
    try {
      const { references, ...rest } = JSON.parse(state) as StoredState;
      return { ...rest, references: withDays(references) };
    } catch (cause) {
      throw damaged(this.#path, `the quote of ${ticker} cannot be read`, cause);
    }
  }
}

/** The references that have a day. The others are read from history when the service starts. */
function withDays(references: StoredState['references']): ReferenceCloses {
  const dated = Object.entries(references).filter(([, base]) => typeof base === 'object');
  return Object.fromEntries(dated);
}
