import type { DailyClose } from '../../src/domain/daily-close.ts';
import type { EpochDay } from '../../src/domain/plain-date.ts';
import type { Ticker } from '../../src/domain/ticker.ts';

/** The instruments that every generation writes. */
export const tickers = Array.from({ length: 8 }, (_, index) => `T${index}` as Ticker);

/**
 * The closes that each instrument has after a generation: the same days with other values, and one
 * day more. Enough of them to spill over the page cache's first pages.
 */
export function generationOf(generation: number): readonly DailyClose[] {
  return Array.from({ length: 500 + generation }, (_, day) => ({
    day: day as EpochDay,
    close: generation,
    volume: null,
  }));
}
