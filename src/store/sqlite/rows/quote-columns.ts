import type { Book } from '../../../domain/quotes/book.ts';
import { makeLiveBar, type LiveBar } from '../../../domain/quotes/minute-bar.ts';
import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../domain/calendar/plain-date.ts';
import { bookFieldNames, type BookField } from '../../../domain/quotes/quote-fields.ts';
import type { QuoteSource } from '../../../domain/quotes/quote.ts';
import type { ReferenceClose, ReferenceCloses } from '../../../domain/history/reference-closes.ts';
import type { SetAsideBase } from '../../../domain/quotes/set-aside-base.ts';
import type { LiveSession, StoredQuote } from '../../../domain/quotes/stored-quote.ts';
import type { ShownChanges } from '../../../domain/quotes/shown-changes.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { Complete } from '../../../domain/values/complete.ts';

/**
 * Stored quotes as one text and one array of numbers, for messages between threads. Packing costs the
 * thread that answers requests 0.1 µs for each quote. Copying the objects costs 0.7 µs, and JSON 0.5 µs
 * (bench/updates/quote-columns.ts). The array is transferred, not copied.
 */
export interface QuoteColumns {
  /**
   * Four lines for each quote: its ticker, its session date, the name of its source, and the feed by which the
   * source of another service came. A line is empty for none. None contains a line feed.
   */
  readonly texts: string;
  /**
   * The numbers of each quote, in the order of {@link place}. NaN stands for an absent value. Without a
   * book, `bookAt` is 0, and the numbers of the book mean nothing.
   */
  readonly numbers: Float64Array<ArrayBuffer>;
}

/** The position of each number within its quote. */
const place = {
  version: 0,
  asOf: 1,
  last: 2,
  open: 3,
  high: 4,
  low: 5,
  volume: 6,
  openAt: 7,
  sourcePreviousClose: 8,
  isInHistory: 9,
  historyClose: 10,
  officialCloseAt: 11,
  previous: 12,
  previousDay: 13,
  previousAdjusted: 14,
  monthBase: 15,
  monthBaseDay: 16,
  monthBaseAdjusted: 17,
  yearBase: 18,
  yearBaseDay: 19,
  yearBaseAdjusted: 20,
  sourceDelayMinutes: 21,
  barDay: 22,
  barMinute: 23,
  barOpen: 24,
  barHigh: 25,
  barLow: 26,
  barLast: 27,
  barVolumeFrom: 28,
  barVolumeTo: 29,
  barIsRecorded: 30,
  plainVersion: 31,
  bookAt: 32,
  bid: 33,
  ask: 34,
  bidSize: 35,
  askSize: 36,
  amount: 37,
  trades: 38,
  setAsideDay: 39,
  setAsideClose: 40,
  setAsideSessionDate: 41,
  setAsideComparable: 42,
  setAsidePrice: 43,
  setAsideAt: 44,
  setAsideIsConfirmed: 45,
  hasShown: 46,
  shownPreviousClose: 47,
  shownChange: 48,
  shownMonthToDatePct: 49,
  shownYearToDatePct: 50,
} as const satisfies Record<NumberField, number>;

/** Every field except the texts. A field that is missing in {@link place} does not compile. */
type NumberField =
  | Exclude<keyof StoredQuote, 'ticker' | 'session' | 'references' | 'setAside' | 'source' | 'bar'>
  | Exclude<keyof LiveSession, 'sessionDate' | 'book' | 'shown'>
  | BookField
  | 'bookAt'
  | keyof ReferenceCloses
  | `${keyof ReferenceCloses}Day`
  | `${keyof ReferenceCloses}Adjusted`
  | `setAside${Capitalize<keyof SetAsideBase>}`
  | 'sourceDelayMinutes'
  | 'hasShown'
  | `shown${Capitalize<keyof ShownChanges>}`
  // The volume follows from two others.
  | `bar${Capitalize<Exclude<keyof LiveBar, 'volume'>>}`;

const numbersPerQuote = Object.keys(place).length;

const linesPerQuote = 4;

/** Packs quotes. Their numbers are finite, so NaN can stand for an absent value. */
export function packQuotes(quotes: readonly StoredQuote[]): QuoteColumns {
  const numbers = new Float64Array(quotes.length * numbersPerQuote);
  let texts = '';
  let base = 0;
  for (const quote of quotes) {
    const { ticker, version, plainVersion, session, references, source, bar } = quote;
    texts += `${ticker}\n${session.sessionDate}\n${source?.name ?? ''}\n${source?.via ?? ''}\n`;
    numbers[base + place.version] = version;
    numbers[base + place.asOf] = session.asOf ?? Number.NaN;
    numbers[base + place.last] = session.last;
    numbers[base + place.open] = session.open ?? Number.NaN;
    numbers[base + place.high] = session.high ?? Number.NaN;
    numbers[base + place.low] = session.low ?? Number.NaN;
    numbers[base + place.volume] = session.volume ?? Number.NaN;
    numbers[base + place.openAt] = session.openAt ?? Number.NaN;
    numbers[base + place.sourcePreviousClose] = session.sourcePreviousClose ?? Number.NaN;
    numbers[base + place.isInHistory] = session.isInHistory ? 1 : 0;
    numbers[base + place.historyClose] = session.historyClose ?? Number.NaN;
    numbers[base + place.officialCloseAt] = session.officialCloseAt ?? Number.NaN;
    const { previous, monthBase, yearBase } = references;
    numbers[base + place.previous] = previous?.close ?? Number.NaN;
    numbers[base + place.previousDay] = previous?.day ?? Number.NaN;
    numbers[base + place.previousAdjusted] = previous?.adjusted ?? Number.NaN;
    numbers[base + place.monthBase] = monthBase?.close ?? Number.NaN;
    numbers[base + place.monthBaseDay] = monthBase?.day ?? Number.NaN;
    numbers[base + place.monthBaseAdjusted] = monthBase?.adjusted ?? Number.NaN;
    numbers[base + place.yearBase] = yearBase?.close ?? Number.NaN;
    numbers[base + place.yearBaseDay] = yearBase?.day ?? Number.NaN;
    numbers[base + place.yearBaseAdjusted] = yearBase?.adjusted ?? Number.NaN;
    numbers[base + place.sourceDelayMinutes] =
      source === undefined ? Number.NaN : (source.delayMinutes ?? unknownDelay);
    putBar(numbers, base, bar);
    putSetAside(numbers, base, quote.setAside);
    putShown(numbers, base, session.shown);
    numbers[base + place.plainVersion] = plainVersion ?? Number.NaN;
    if (session.book !== undefined) packBook(numbers, base, session.book);
    base += numbersPerQuote;
  }
  return { texts, numbers };
}

type CompleteQuote = Complete<Omit<StoredQuote, 'session'>> & {
  readonly session: Complete<LiveSession>;
};

/** Unpacks quotes. They are equal in every field. Absent fields are undefined. */
export function unpackQuotes({ texts, numbers }: QuoteColumns): readonly StoredQuote[] {
  const lines = texts.split('\n');
  return Array.from({ length: numbers.length / numbersPerQuote }, (_, index): CompleteQuote => {
    const base = index * numbersPerQuote;
    return {
      ticker: lines[index * linesPerQuote] as Ticker,
      version: numberAt(numbers, base + place.version),
      plainVersion: orUndefined(numbers[base + place.plainVersion]),
      session: {
        sessionDate: lines[index * linesPerQuote + 1] as PlainDate,
        asOf: orUndefined(numbers[base + place.asOf]),
        last: numberAt(numbers, base + place.last),
        open: orUndefined(numbers[base + place.open]),
        high: orUndefined(numbers[base + place.high]),
        low: orUndefined(numbers[base + place.low]),
        volume: orNull(numbers[base + place.volume]),
        openAt: orNull(numbers[base + place.openAt]),
        sourcePreviousClose: orUndefined(numbers[base + place.sourcePreviousClose]),
        isInHistory: numbers[base + place.isInHistory] === 1,
        historyClose: orNull(numbers[base + place.historyClose]),
        officialCloseAt: orUndefined(numbers[base + place.officialCloseAt]),
        book: bookAt(numbers, base),
        shown: shownAt(numbers, base),
      },
      references: referencesAt(numbers, base),
      setAside: setAsideAt(numbers, base),
      source: sourceOf(
        lines[index * linesPerQuote + 2],
        lines[index * linesPerQuote + 3],
        orUndefined(numbers[base + place.sourceDelayMinutes]),
      ),
      bar: barAt(numbers, base),
    };
  });
}

function packBook(numbers: Float64Array, base: number, book: Book): void {
  numbers[base + place.bookAt] = book.at;
  for (const field of bookFieldNames) numbers[base + place[field]] = book[field] ?? Number.NaN;
}

function bookAt(numbers: Float64Array, base: number): Complete<Book> | undefined {
  const at = numberAt(numbers, base + place.bookAt);
  if (at === 0) return undefined;
  return {
    at,
    bid: orUndefined(numbers[base + place.bid]),
    ask: orUndefined(numbers[base + place.ask]),
    bidSize: orUndefined(numbers[base + place.bidSize]),
    askSize: orUndefined(numbers[base + place.askSize]),
    amount: orUndefined(numbers[base + place.amount]),
    trades: orUndefined(numbers[base + place.trades]),
  };
}

function putBar(numbers: Float64Array, base: number, bar: LiveBar | undefined): void {
  numbers[base + place.barDay] = bar?.day ?? Number.NaN;
  if (bar === undefined) return;
  numbers[base + place.barMinute] = bar.minute;
  numbers[base + place.barOpen] = bar.open;
  numbers[base + place.barHigh] = bar.high;
  numbers[base + place.barLow] = bar.low;
  numbers[base + place.barLast] = bar.last;
  numbers[base + place.barVolumeFrom] = bar.volumeFrom;
  numbers[base + place.barVolumeTo] = bar.volumeTo ?? Number.NaN;
  numbers[base + place.barIsRecorded] = bar.isRecorded ? 1 : 0;
}

function putSetAside(numbers: Float64Array, base: number, mark: SetAsideBase | undefined): void {
  numbers[base + place.setAsideDay] = mark?.day ?? Number.NaN;
  if (mark === undefined) return;
  numbers[base + place.setAsideClose] = mark.close;
  numbers[base + place.setAsideSessionDate] = toEpochDay(mark.sessionDate);
  numbers[base + place.setAsideComparable] = mark.comparable;
  numbers[base + place.setAsidePrice] = mark.price;
  numbers[base + place.setAsideAt] = mark.at;
  numbers[base + place.setAsideIsConfirmed] = mark.isConfirmed ? 1 : 0;
}

function setAsideAt(numbers: Float64Array, base: number): SetAsideBase | undefined {
  const day = orUndefined(numbers[base + place.setAsideDay]);
  if (day === undefined) return undefined;
  return {
    day: day as EpochDay,
    close: numberAt(numbers, base + place.setAsideClose),
    sessionDate: fromEpochDay(numberAt(numbers, base + place.setAsideSessionDate) as EpochDay),
    comparable: numberAt(numbers, base + place.setAsideComparable),
    price: numberAt(numbers, base + place.setAsidePrice),
    at: numberAt(numbers, base + place.setAsideAt),
    isConfirmed: numbers[base + place.setAsideIsConfirmed] === 1,
  };
}

function putShown(numbers: Float64Array, base: number, shown: ShownChanges | undefined): void {
  numbers[base + place.hasShown] = shown === undefined ? 0 : 1;
  if (shown === undefined) return;
  numbers[base + place.shownPreviousClose] = shown.previousClose ?? Number.NaN;
  numbers[base + place.shownChange] = shown.change ?? Number.NaN;
  numbers[base + place.shownMonthToDatePct] = shown.monthToDatePct ?? Number.NaN;
  numbers[base + place.shownYearToDatePct] = shown.yearToDatePct ?? Number.NaN;
}

function shownAt(numbers: Float64Array, base: number): Complete<ShownChanges> | undefined {
  if (numbers[base + place.hasShown] !== 1) return undefined;
  return {
    previousClose: orUndefined(numbers[base + place.shownPreviousClose]),
    change: orNull(numbers[base + place.shownChange]),
    monthToDatePct: orNull(numbers[base + place.shownMonthToDatePct]),
    yearToDatePct: orNull(numbers[base + place.shownYearToDatePct]),
  };
}

function barAt(numbers: Float64Array, base: number): LiveBar | undefined {
  const day = orUndefined(numbers[base + place.barDay]);
  if (day === undefined) return undefined;
  return makeLiveBar({
    day: day as EpochDay,
    minute: numberAt(numbers, base + place.barMinute),
    open: numberAt(numbers, base + place.barOpen),
    high: numberAt(numbers, base + place.barHigh),
    low: numberAt(numbers, base + place.barLow),
    last: numberAt(numbers, base + place.barLast),
    volumeFrom: numberAt(numbers, base + place.barVolumeFrom),
    volumeTo: orNull(numbers[base + place.barVolumeTo]),
    isRecorded: numbers[base + place.barIsRecorded] === 1,
  });
}

/** Stands for the delay of a source that is not known. A delay is never negative. */
const unknownDelay = -1;

function sourceOf(
  name: string | undefined,
  via: string | undefined,
  delayMinutes: number | undefined,
): QuoteSource | undefined {
  if (delayMinutes === undefined) return undefined;
  return {
    ...(name === '' ? {} : { name }),
    ...(via === '' ? {} : { via }),
    ...(delayMinutes === unknownDelay ? {} : { delayMinutes }),
  };
}

function referencesAt(numbers: Float64Array, base: number): ReferenceCloses {
  const referenceOf = (name: keyof ReferenceCloses): ReferenceClose | undefined => {
    const close = orUndefined(numbers[base + place[name]]);
    if (close === undefined) return undefined;
    const day = numberAt(numbers, base + place[`${name}Day`]) as EpochDay;
    const adjusted = orUndefined(numbers[base + place[`${name}Adjusted`]]);
    return { day, close, ...(adjusted === undefined ? {} : { adjusted }) };
  };
  const previous = referenceOf('previous');
  const monthBase = referenceOf('monthBase');
  const yearBase = referenceOf('yearBase');
  return {
    ...(previous === undefined ? {} : { previous }),
    ...(monthBase === undefined ? {} : { monthBase }),
    ...(yearBase === undefined ? {} : { yearBase }),
  };
}

function numberAt(numbers: Float64Array, index: number): number {
  return numbers[index] ?? Number.NaN;
}

function orUndefined(value: number | undefined): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
