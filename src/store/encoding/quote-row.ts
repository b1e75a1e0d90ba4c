import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { makeLiveBar, type LiveBar } from '../../domain/quotes/minute-bar.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Complete } from '../../domain/values/complete.ts';
import { damaged } from '../contract/store-fault.ts';

/** The fields of a quote that its row stores as JSON: all except ticker, version and bar. */
type QuoteState = Omit<StoredQuote, 'ticker' | 'version' | 'bar'>;

/** A row of `quotes`. */
export type QuoteRow = readonly [
  ticker: Ticker,
  version: number,
  state: string,
  bar: Uint8Array | null,
];

/** The rows of quotes. */
export function toQuoteRows(quotes: readonly StoredQuote[]): readonly QuoteRow[] {
  return quotes.map((quote) => {
    const { ticker, version, plainVersion, session, references, setAside, source, bar } = quote;
    const state: Complete<QuoteState> = { plainVersion, session, references, setAside, source };
    const packed = bar === undefined ? null : packLiveBar(bar);
    return [ticker, version, JSON.stringify(state), packed];
  });
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
    return JSON.parse(state) as QuoteState;
  } catch (cause) {
    throw damaged(where, `the quote of ${ticker} cannot be read`, cause);
  }
}

/** The number of numbers of a bar under way. Each one takes 8 bytes, in the byte order of all supported processors. */
const numbersPerBar = 9;

/** Packs the bar under way of a quote as its numbers. NaN stands for a volume of null. */
function packLiveBar(bar: LiveBar): Uint8Array {
  const numbers = Float64Array.of(
    bar.day,
    bar.minute,
    bar.open,
    bar.high,
    bar.low,
    bar.last,
    bar.volumeFrom,
    bar.volumeTo ?? Number.NaN,
    bar.isRecorded ? 1 : 0,
  );
  return new Uint8Array(numbers.buffer);
}

/**
 * Restores a packed bar.
 *
 * @throws StoreFault `corrupt`
 */
function unpackLiveBar(path: string, packed: Uint8Array): LiveBar {
  if (packed.byteLength !== numbersPerBar * Float64Array.BYTES_PER_ELEMENT) {
    throw damaged(path, 'a bar under way is incomplete');
  }
  // The bytes of a row need not be aligned, and those of a Buffer are part of a larger one.
  const [day, minute, open, high, low, last, volumeFrom, volumeTo, isRecorded] = new Float64Array(
    Uint8Array.from(packed).buffer,
  ) as unknown as readonly [number, number, number, number, number, number, number, number, number];
  return makeLiveBar({
    day: day as EpochDay,
    minute,
    open,
    high,
    low,
    last,
    volumeFrom,
    volumeTo: Number.isNaN(volumeTo) ? null : volumeTo,
    isRecorded: isRecorded === 1,
  });
}
