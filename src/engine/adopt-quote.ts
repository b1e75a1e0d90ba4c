import { showsSameBook, type Book } from '../domain/quotes/book.ts';
import { areClose } from '../domain/history/shared-basis.ts';
import type { FollowedQuote } from '../domain/quotes/followed-quote.ts';
import { showsSameChanges } from '../domain/quotes/shown-changes.ts';
import { toEpochDay } from '../domain/calendar/plain-date.ts';
import { isBeyondSessionBound } from '../domain/history/judge/move.ts';
import type { InstrumentKind, KindRules } from '../domain/instruments/instrument.ts';
import type { Bar } from '../domain/quotes/minute-bar.ts';
import type { Complete } from '../domain/values/complete.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import { hasBook, type Update } from '../domain/quotes/update.ts';

/**
 * The session that a quote of another service shows. It replaces the session in memory as a whole, because the
 * other service has already folded and judged its prices. Returns `held` itself when nothing changes, and
 * undefined when the quote is older than `held`.
 *
 * @param held the session in memory; undefined if the quote begins it.
 */
export function adoptedSession(
  held: LiveSession | undefined,
  { update, followed }: { readonly update: Update; readonly followed: FollowedQuote },
  { hasVolume }: KindRules,
): LiveSession | undefined {
  const { at, last, open, high, low } = update;
  const asOf = followed.hasInstant ? at : undefined;
  if (held?.asOf !== undefined && (asOf === undefined || asOf < held.asOf)) return undefined;
  if (last === undefined) return undefined;
  const { previousClose } = followed.changes;
  const adopted: LiveSession = {
    sessionDate: followed.sessionDate,
    asOf,
    last,
    open,
    openAt: null,
    high,
    low,
    volume: hasVolume ? (update.volume ?? null) : null,
    book: bookOf(update, held?.book),
    ...(previousClose === undefined ? {} : { sourcePreviousClose: previousClose }),
    shown: followed.changes,
    isInHistory: false,
    historyClose: held?.historyClose ?? null,
  };
  if (held === undefined || !showsSamePlain(held, adopted)) return adopted;
  return showsSameBook(held.book, adopted.book) ? held : { ...held, book: adopted.book };
}

/** The book of a whole quote: a field that it does not have is not known. */
function bookOf(update: Update, held: Book | undefined): Book | undefined {
  if (!hasBook(update)) return undefined;
  const { at, bid, ask, bidSize, askSize, amount, trades } = update;
  const book: Complete<Book> = { at, bid, ask, bidSize, askSize, amount, trades };
  return showsSameBook(held, book) ? held : book;
}

/** Whether two states of a session show every client the same. */
export function showsSamePlain(a: LiveSession, b: LiveSession): boolean {
  return (
    a.asOf === b.asOf &&
    a.last === b.last &&
    a.open === b.open &&
    a.high === b.high &&
    a.low === b.low &&
    a.volume === b.volume &&
    showsSameChanges(a.shown, b.shown)
  );
}

/**
 * Whether the prices of the bar under way are overruled in a session: it has begun again at the followed service,
 * and they are not in its range.
 */
export function isOverruledIn(
  { sessionDate, last, high = last, low = last }: LiveSession,
  bar: Bar,
  kind: InstrumentKind,
): boolean {
  if (bar.day !== toEpochDay(sessionDate)) return false;
  return (
    (bar.high > high && isBeyondSessionBound(kind, bar.high, high)) ||
    (bar.low < low && isBeyondSessionBound(kind, bar.low, low))
  );
}

/**
 * An ended session with the close that the service shows as the one before the next session. Prices of its
 * end may have been missed, and the close is then corrected as far as a source corrects its own closes.
 */
export function closedAs(ended: LiveSession, close: number | undefined): LiveSession {
  if (close === undefined || close === ended.last || !areClose(ended.last, close)) return ended;
  const { high, low } = ended;
  return {
    ...ended,
    last: close,
    high: high === undefined ? undefined : Math.max(high, close),
    low: low === undefined ? undefined : Math.min(low, close),
    isInHistory: false,
  };
}
