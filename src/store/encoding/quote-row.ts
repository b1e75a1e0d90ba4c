import type { ReferenceClose, ReferenceCloses } from '../../domain/history/reference-closes.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Complete } from '../../domain/values/complete.ts';
import { damaged } from './damaged.ts';
import { unpackLiveBar } from './live-bar-column.ts';

/** The fields of a quote that its row stores as JSON: all except ticker, version and bar. */
type QuoteState = Omit<StoredQuote, 'ticker' | 'version' | 'bar'>;

/** A quote's state as any version of this program may have stored it. Old references have no day. */
interface StoredState {
  readonly plainVersion?: number | undefined;
  readonly session: QuoteState['session'];
  readonly source?: QuoteState['source'];
  readonly setAside?: QuoteState['setAside'];
  readonly references: Readonly<Partial<Record<keyof ReferenceCloses, ReferenceClose | number>>>;
}

/** A row of `quotes`. */
export type QuoteRow = readonly [
  ticker: Ticker,
  version: number,
  state: string,
  bar: Uint8Array | null,
];

/** The state of a quote as its row stores it. */
export function quoteState(quote: StoredQuote): string {
  const { plainVersion, session, references, setAside, source } = quote;
  const state: Complete<QuoteState> = { plainVersion, session, references, setAside, source };
  return JSON.stringify(state);
}

/**
 * Converts a row to a quote.
 *
 * @throws StoreFault `corrupt`
 */
export function fromQuoteRow(where: string, [ticker, version, state, bar]: QuoteRow): StoredQuote {
  return {
    ticker,
    version,
    ...parse(where, ticker, state),
    ...(bar === null ? {} : { bar: unpackLiveBar(where, bar) }),
  };
}

function parse(where: string, ticker: Ticker, state: string): QuoteState {
  try {
    const { references, ...rest } = JSON.parse(state) as StoredState;
    return { ...rest, references: withDays(references) };
  } catch (cause) {
    throw damaged(where, `the quote of ${ticker} cannot be read`, cause);
  }
}

/** The references that have a day. The others are read from history when the service starts. */
function withDays(references: StoredState['references']): ReferenceCloses {
  const dated = Object.entries(references).filter(([, base]) => typeof base === 'object');
  return Object.fromEntries(dated);
}
