import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { StoredQuote } from '../../../src/domain/quotes/stored-quote.ts';

/** A stored quote of one price in a session, at noon in Buenos Aires. */
export function quoteOn(
  ticker: string,
  last: number,
  { date, version }: { readonly date: string; readonly version: number },
): StoredQuote {
  return {
    ticker: ticker as Ticker,
    version,
    references: {},
    session: {
      sessionDate: date as PlainDate,
      asOf: Date.parse(`${date}T15:00:00Z`),
      last,
      volume: 1,
      openAt: null,
      isInHistory: false,
      historyClose: null,
    },
  };
}
