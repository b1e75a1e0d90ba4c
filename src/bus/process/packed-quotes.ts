import type { Book } from '../../domain/quotes/book.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { Quote, QuoteSource } from '../../domain/quotes/quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Complete } from '../../domain/values/complete.ts';

/**
 * A quote in a message to another process: an array of its fields, with the instrument as a ticker.
 * It has a third of the bytes of an object with named fields, and takes half the time to serialize and
 * to parse. Structured clone preserves every number and undefined fields exactly. JSON does not.
 */
export type PackedQuote = readonly [ticker: Ticker, ...fields: PackedFields];

type PackedFields = readonly [
  version: Quote['version'],
  sessionDate: Quote['sessionDate'],
  asOf: Quote['asOf'],
  last: Quote['last'],
  open: Quote['open'],
  high: Quote['high'],
  low: Quote['low'],
  volume: Quote['volume'],
  previousClose: Quote['previousClose'],
  changeValue: number | null,
  monthToDatePct: Quote['monthToDatePct'],
  yearToDatePct: Quote['yearToDatePct'],
  sourceName: string | undefined,
  sourceDelayMinutes: number | undefined,
  plainVersion: Quote['plainVersion'],
  book: PackedBook | undefined,
  bar: PackedBar | undefined,
  setAside: Quote['setAside'],
];

type PackedBar = readonly [
  day: Bar['day'],
  minute: Bar['minute'],
  open: Bar['open'],
  high: Bar['high'],
  low: Bar['low'],
  last: Bar['last'],
  volume: Bar['volume'],
];

type PackedBook = readonly [
  at: Book['at'],
  bid: Book['bid'],
  ask: Book['ask'],
  bidSize: Book['bidSize'],
  askSize: Book['askSize'],
  amount: Book['amount'],
  trades: Book['trades'],
];

/** Packs a quote. The unit of its change is omitted, because the instrument defines it. */
export function packQuote(quote: Quote): PackedQuote {
  return [
    quote.instrument.ticker,
    quote.version,
    quote.sessionDate,
    quote.asOf,
    quote.last,
    quote.open,
    quote.high,
    quote.low,
    quote.volume,
    quote.previousClose,
    quote.change === null ? null : quote.change.value,
    quote.monthToDatePct,
    quote.yearToDatePct,
    quote.source?.name,
    quote.source && (quote.source.delayMinutes ?? unknownDelay),
    quote.plainVersion,
    quote.book && packBook(quote.book),
    quote.bar === undefined ? undefined : packBar(quote.bar),
    quote.setAside,
  ];
}

function packBar({ day, minute, open, high, low, last, volume }: Bar): PackedBar {
  return [day, minute, open, high, low, last, volume];
}

function unpackBar([day, minute, open, high, low, last, volume]: PackedBar): Bar {
  return { day, minute, open, high, low, last, volume };
}

/** Unpacks a quote. Its instrument is that of this process's copy of the universe. */
export function unpackQuote(packed: PackedQuote, universe: Universe): Complete<Quote> {
  const [ticker, version, sessionDate, asOf, last, open, high, low, volume, previousClose] = packed;
  const [changeValue, monthToDatePct, yearToDatePct] = [packed[10], packed[11], packed[12]];
  const [name, delayMinutes, plainVersion] = [packed[13], packed[14], packed[15]];
  const [book, bar, setAside] = [packed[16], packed[17], packed[18]];
  const instrument = universe.get(ticker);
  return {
    instrument,
    version,
    plainVersion,
    sessionDate,
    asOf,
    last,
    open,
    high,
    low,
    volume,
    previousClose,
    change: changeValue === null ? null : { value: changeValue, unit: instrument.changeUnit },
    monthToDatePct,
    yearToDatePct,
    setAside,
    book: book && unpackBook(book),
    source: delayMinutes === undefined ? undefined : unpackSource(name, delayMinutes),
    bar: bar === undefined ? undefined : unpackBar(bar),
  };
}

/** Stands for the delay of a source that is not known. A delay is never negative. */
const unknownDelay = -1;

function unpackSource(name: string | undefined, delayMinutes: number): Complete<QuoteSource> {
  // Only the process that runs the feeds needs to know which one gave the price.
  const via = undefined;
  return { name, delayMinutes: delayMinutes === unknownDelay ? undefined : delayMinutes, via };
}

function packBook({ at, bid, ask, bidSize, askSize, amount, trades }: Book): PackedBook {
  return [at, bid, ask, bidSize, askSize, amount, trades];
}

function unpackBook([at, bid, ask, bidSize, askSize, amount, trades]: PackedBook): Complete<Book> {
  return { at, bid, ask, bidSize, askSize, amount, trades };
}
