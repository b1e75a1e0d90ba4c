import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import type { EpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';

/** The instruments that every generation writes. */
export const tickers = Array.from({ length: 8 }, (_, index) => `T${index}` as Ticker);

/**
 * The closes of each instrument after a generation: the days of the previous one with other values, and
 * one more day. There are enough of them to exceed the first pages of the page cache.
 */
export function generationOf(generation: number): readonly DailyClose[] {
  return Array.from({ length: 500 + generation }, (_, day) => ({
    day: day as EpochDay,
    close: generation,
    volume: null,
  }));
}
