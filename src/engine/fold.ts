import type { KindRules } from '../domain/instruments/instrument.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import { hasPrices, type Update } from '../domain/quotes/update.ts';

/**
 * Begins a session with its first update. Returns undefined when the update has neither a last
 * price nor a close, because a quote needs one. A close alone sets no open, range or volume.
 *
 * @param overruled the session as it was, if all of its prices are overruled. Only its volume and what history has
 *   of it stay.
 */
export function beginSession(
  sessionDate: PlainDate,
  update: Update,
  { hasVolume }: KindRules,
  overruled?: LiveSession,
): LiveSession | undefined {
  const { last: traded, at } = update;
  const last = traded ?? update.close;
  if (last === undefined) return undefined;
  const high = update.high ?? traded;
  const low = update.low ?? traded;
  return {
    sessionDate,
    asOf: at,
    last,
    open: update.open ?? traded,
    openAt: update.open === undefined && traded !== undefined ? at : null,
    high: high === undefined ? undefined : Math.max(high, last),
    low: low === undefined ? undefined : Math.min(low, last),
    volume: hasVolume
      ? (update.volume ?? overruled?.volume ?? (traded === undefined ? null : 0))
      : null,
    ...(update.previousClose === undefined ? {} : { sourcePreviousClose: update.previousClose }),
    isInHistory: false,
    historyClose: overruled?.historyClose ?? null,
  };
}

/**
 * Folds a further update into its session. Returns the same object when nothing changes, so that a
 * repeated update does not create a new version.
 *
 * An update at or after the session's instant is the latest report: its high, low, open, volume and
 * previous close replace what was known, corrections included. An update from before that instant is
 * late. It may only widen high and low, and set the open and the previous close where the source of the
 * later price has not reported them. So the high, low and last of a session do not depend on the order in
 * which its updates arrive. `book.ts` folds the book.
 *
 * Once the official close is known ({@link foldClose}), it remains the session's last price.
 */
export function foldUpdate(session: LiveSession, update: Update, rules: KindRules): LiveSession {
  if (!hasPrices(update)) return session;
  const folded = isLate(session, update.at)
    ? foldLate(session, update)
    : foldNext(session, update, rules);
  return isSame(session, folded) ? session : { ...folded, isInHistory: false };
}

/**
 * Sets the official close of a session, which becomes its last price. High and low, where known,
 * widen to include it. Of two closes, the one with the later instant applies. Returns the same
 * object when nothing changes.
 *
 * @param official.at the source's instant, which may be after the session's hours.
 */
export function foldClose(
  session: LiveSession,
  { close, at }: { readonly close: number; readonly at: number },
): LiveSession {
  const { officialCloseAt, high, low } = session;
  if (officialCloseAt !== undefined && (at < officialCloseAt || close === session.last)) {
    return session;
  }
  return {
    ...session,
    last: close,
    high: high === undefined ? undefined : Math.max(high, close),
    low: low === undefined ? undefined : Math.min(low, close),
    officialCloseAt: at,
    isInHistory: false,
  };
}

/** Whether an update gave the last price that its session shows after it. */
export function givesLast(
  { at, last }: Update,
  { before, after }: { readonly before: LiveSession | undefined; readonly after: LiveSession },
): boolean {
  if (after.officialCloseAt !== undefined) {
    return after.officialCloseAt !== before?.officialCloseAt || after.last !== before.last;
  }
  return last !== undefined && !isLate(before, at);
}

/**
 * A session of a derived instrument, as of the older of its inputs. Returns the session before it if nothing else
 * changes.
 */
export function asOfInputs(
  held: LiveSession | undefined,
  folded: LiveSession,
  asOf: number,
): LiveSession {
  const session = { ...folded, asOf };
  return held !== undefined && isSame(held, session) ? held : session;
}

function isLate(session: LiveSession | undefined, at: number): boolean {
  return session?.asOf !== undefined && at < session.asOf;
}

function foldNext(session: LiveSession, update: Update, { hasVolume }: KindRules): LiveSession {
  const traded = update.last ?? session.last;
  const last = session.officialCloseAt === undefined ? traded : session.last;
  return {
    ...session,
    asOf: update.at,
    last,
    ...openAfter(session, update),
    // A price widens the range unless the source reports another high or low.
    high: Math.max(update.high ?? session.high ?? session.last, traded, last),
    low: Math.min(update.low ?? session.low ?? session.last, traded, last),
    volume: hasVolume ? (update.volume ?? session.volume) : null,
    ...(update.previousClose === undefined ? {} : { sourcePreviousClose: update.previousClose }),
  };
}

function openAfter(
  session: LiveSession,
  update: Update,
): Partial<Pick<LiveSession, 'open' | 'openAt'>> {
  if (update.open !== undefined) return { open: update.open, openAt: null };
  if (session.open !== undefined || update.last === undefined) return {};
  return { open: update.last, openAt: update.at };
}

function foldLate(session: LiveSession, update: Update): LiveSession {
  const prices = [update.last, update.high, update.low].filter((price) => price !== undefined);
  const { previousClose } = update;
  const hasNewClose = session.sourcePreviousClose === undefined && previousClose !== undefined;
  return {
    ...session,
    ...openAfterLate(session, update),
    ...(prices.length === 0
      ? {}
      : {
          high: Math.max(session.high ?? session.last, ...prices),
          low: Math.min(session.low ?? session.last, ...prices),
        }),
    ...(hasNewClose ? { sourcePreviousClose: previousClose } : {}),
  };
}

/** The open that a source reports comes before the first price that was seen, which may be any price. */
function openAfterLate(
  { open, openAt }: LiveSession,
  update: Update,
): Partial<Pick<LiveSession, 'open' | 'openAt'>> {
  const isReported = open !== undefined && openAt === null;
  if (isReported) return {};
  if (update.open !== undefined) return { open: update.open, openAt: null };
  const isFirstPrice = open === undefined || openAt === null || update.at < openAt;
  return update.last !== undefined && isFirstPrice ? { open: update.last, openAt: update.at } : {};
}

function isSame(a: LiveSession, b: LiveSession): boolean {
  return (
    a.asOf === b.asOf &&
    a.last === b.last &&
    a.open === b.open &&
    a.openAt === b.openAt &&
    a.high === b.high &&
    a.low === b.low &&
    a.volume === b.volume &&
    a.sourcePreviousClose === b.sourcePreviousClose
  );
}
