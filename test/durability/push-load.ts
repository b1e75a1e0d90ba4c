import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Batch } from './kill-protocol.ts';
import { pushedTickers } from './kill-universe.ts';

/** Number of batches in a session. Then the next day begins. */
const batchesPerSession = 25;

const msPerDay = 86_400_000;
const msPerMinute = 60_000;
// The open of a Monday in Buenos Aires.
const firstOpening = Date.parse('2024-01-08T10:30:00-03:00');

/** An instant before the first update. */
export const loadStart = firstOpening - msPerDay;

/**
 * Builds a batch by its number: some instruments, random prices, increasing instants. Weekends have
 * sessions too, and an instrument may have no update for days.
 */
export function makeBatch(id: number): Batch {
  const session = Math.floor((id - 1) / batchesPerSession);
  const inSession = (id - 1) % batchesPerSession;
  const days = Math.floor(session / 5) * 7 + (session % 5);
  const start = firstOpening + days * msPerDay + inSession * 10 * msPerMinute;
  const length = 1 + Math.floor(Math.random() * 30);
  const updates = Array.from({ length }, (_, index) => ({
    ticker: pushedTickers[Math.floor(Math.random() * pushedTickers.length)] ?? ('' as Ticker),
    at: start + index,
    // Less than three times the price before: a price further from it would wait for another one.
    last: (50_000 + Math.floor(Math.random() * 97_000)) / 100,
  }));
  return { id, updates };
}
