import type { KindRules } from '../domain/instrument.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { LiveSession } from '../domain/stored-quote.ts';
import type { Update } from '../domain/update.ts';

/**
 * Begins a session with its first update. Gives undefined when the update has neither a last price
 * nor a close: without one there is no quote. A close alone tells no open, range or volume.
 */
export function beginSession(
  sessionDate: PlainDate,
  update: Update,
  { hasVolume }: KindRules,
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
    volume: hasVolume ? (update.volume ?? (traded === undefined ? null : 0)) : null,
    ...(update.previousClose === undefined ? {} : { sourcePreviousClose: update.previousClose }),
    isInHistory: false,
    historyClose: null,
  };
}

/**
 * Folds one more update of the same session. Gives the very same object when it changes nothing, so
 * that a repeated update makes no new version.
 *
 * The source's latest word wins: a high, low, open, volume or previous close that it tells at or
 * after the instant shown is taken even where it corrects what was shown. A word from before that
 * instant may widen high and low, and bring the first price, but moves nothing else. So whatever
 * the order in which a truthful session arrives, its high, low and last come out the same.
 *
 * Once the official close is known ({@link foldClose}), it stays the last price of the session.
 */
export function foldUpdate(session: LiveSession, update: Update, rules: KindRules): LiveSession {
  const folded =
    session.asOf !== undefined && update.at < session.asOf
      ? foldLate(session, update)
      : foldNext(session, update, rules);
  return isSame(session, folded) ? session : { ...folded, isInHistory: false };
}

/**
 * Sets the official close of a session, which becomes its last price. High and low widen to contain
 * it where they are known. Of two closes, the one of the later instant holds. Gives the very same
 * object when it changes nothing.
 *
 * @param official.at the source's instant, which may lie after the session's hours.
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

function foldNext(session: LiveSession, update: Update, { hasVolume }: KindRules): LiveSession {
  const traded = update.last ?? session.last;
  const last = session.officialCloseAt === undefined ? traded : session.last;
  return {
    ...session,
    asOf: update.at,
    last,
    ...openAfter(session, update),
    // Without a word from the source, a price can only widen the range.
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
  if (prices.length === 0) return session;
  const isFirstPrice =
    update.last !== undefined &&
    (session.open === undefined || (session.openAt !== null && update.at < session.openAt));
  return {
    ...session,
    ...(isFirstPrice ? { open: update.last, openAt: update.at } : {}),
    high: Math.max(session.high ?? session.last, ...prices),
    low: Math.min(session.low ?? session.last, ...prices),
  };
}

function isSame(a: LiveSession, b: LiveSession): boolean {
  return (
    a === b ||
    (a.asOf === b.asOf &&
      a.last === b.last &&
      a.open === b.open &&
      a.openAt === b.openAt &&
      a.high === b.high &&
      a.low === b.low &&
      a.volume === b.volume &&
      a.sourcePreviousClose === b.sourcePreviousClose)
  );
}
