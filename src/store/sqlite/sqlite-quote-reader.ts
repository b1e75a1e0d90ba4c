import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ReferenceClose, ReferenceCloses } from '../../domain/reference-closes.ts';
import type { StoredQuote } from '../../domain/stored-quote.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { QuoteStore } from '../quote-store.ts';
import { damaged, withFaults } from './sqlite-fault.ts';

/** The fields of a quote that its row stores as JSON: all except ticker and version. */
export type QuoteState = Omit<StoredQuote, 'ticker' | 'version'>;

/** A quote's state as any version of this program may have stored it. Old references have no day. */
interface StoredState {
  readonly plainVersion?: number | undefined;
  readonly session: QuoteState['session'];
  readonly references: Readonly<Partial<Record<keyof ReferenceCloses, ReferenceClose | number>>>;
}

/** Reads the committed latest quotes. */
export class SqliteQuoteReader implements Pick<QuoteStore, 'readAll'> {
  readonly #path: string;
  readonly #all: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#all = database.prepare('SELECT ticker, version, state FROM quotes');
  }

  async readAll(): Promise<readonly StoredQuote[]> {
    const rows = withFaults(this.#path, () => this.#all.all());
    return (rows as unknown as readonly (readonly [Ticker, number, string])[]).map(
      ([ticker, version, state]) => ({ ticker, version, ...this.#parse(ticker, state) }),
    );
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
