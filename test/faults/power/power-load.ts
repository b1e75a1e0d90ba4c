import assert from 'node:assert/strict';

import {
  firstEpochDay,
  lastEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { QuoteCommit } from '../../../src/store/contract/quote-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';

const tickers = Array.from({ length: 40 }, (_, index) => `T${index}` as Ticker);

/** The commit with a number: a quote of every instrument, and a close of one more day. */
export function commitOf(number: number): QuoteCommit {
  return {
    quotes: tickers.map((ticker) => ({
      ticker,
      version: number,
      session: {
        sessionDate: '2026-11-20' as PlainDate,
        last: number,
        volume: null,
        openAt: null,
        isInHistory: false,
        historyClose: null,
      },
      references: {},
    })),
    closes: tickers.map((ticker) => ({
      ticker,
      close: { day: number as EpochDay, close: number, volume: null },
    })),
    storedAt: number,
  };
}

/**
 * The number of the last commit in a store; 0 for none.
 *
 * @throws AssertionError when a commit is incomplete.
 */
export async function lastCommitIn(store: Store): Promise<number> {
  const quotes = await store.quotes.readAll();
  if (quotes.length === 0) return 0;
  const [number = 0, ...others] = new Set(quotes.map(({ session }) => session.last));
  assert.deepEqual([others, quotes.length], [[], tickers.length], 'quotes of one commit');
  for (const ticker of tickers) {
    const range = { from: firstEpochDay, to: lastEpochDay };
    const { closes } = await store.history.readSeries(ticker, range);
    assert.equal(closes.length, number, `closes of ${ticker}`);
    assert.ok(closes.every((close, index) => close === index + 1));
  }
  return number;
}
