import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { StoredQuote } from '../../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { closeOn } from './close-on.ts';

/** A stored quote with all its fields. */
export function storedQuote(ticker: Ticker, version: number): StoredQuote {
  return {
    ticker,
    version,
    plainVersion: version - 1,
    session: {
      sessionDate: '2026-05-04' as PlainDate,
      asOf: 1_777_900_000_123,
      last: 71_250.5,
      open: 71_000,
      high: 71_300.25,
      low: 70_900,
      volume: 12.5,
      openAt: 1_777_890_000_000,
      sourcePreviousClose: 70_000,
      isInHistory: true,
      historyClose: 71_250.5,
      officialCloseAt: 1_777_910_000_000,
      book: {
        at: 1_777_900_000_124,
        bid: 71_250,
        ask: 71_251.5,
        bidSize: 1_000,
        askSize: 0.25,
        amount: 890_631.25,
        trades: 3,
      },
    },
    references: {
      previous: closeOn('2026-04-30', 70_010),
      monthBase: closeOn('2026-04-30', 69_000),
      yearBase: closeOn('2025-12-30', 50_000),
    },
    source: { name: 'byma', delayMinutes: 20 },
  };
}
