import type { Ticker } from '../../domain/instruments/ticker.ts';
import { hasPrices, type Update } from '../../domain/quotes/update.ts';
import { type FeedMessage, type Rejected, reject } from '../contract/feed.ts';

/** A response with one price for each instrument, by {@link oneOfEach}. A book without a price stays. */
export function withoutRepeats(message: FeedMessage): FeedMessage {
  const { updates, rejected } = message;
  const { used, repeated } = oneOfEach(updates.filter(hasPrices));
  if (repeated.length === 0) return message;
  const prices = new Set(used);
  return {
    ...message,
    updates: updates.filter((update) => !hasPrices(update) || prices.has(update)),
    rejected: [...rejected, ...repeated],
  };
}

/**
 * Selects one update of each instrument, in their order, and rejects the others by name. If they were all
 * used, the price would move back and forth with every response, or never move again. The one that is
 * nearest to the price before is used; without a price before, the first one.
 *
 * @param lastOf the last price that was used of an instrument.
 */
export function oneOfEach(
  updates: readonly Update[],
  lastOf: (ticker: Ticker) => number | undefined = () => undefined,
): { readonly used: readonly Update[]; readonly repeated: readonly Rejected[] } {
  const byTicker = Map.groupBy(updates, ({ ticker }) => ticker);
  if (byTicker.size === updates.length) return { used: updates, repeated: [] };
  const used = new Set<Update>();
  for (const [ticker, same] of byTicker) {
    const before = lastOf(ticker) ?? Number.NaN;
    const distance = ({ last = Number.NaN }: Update): number => Math.abs(last - before);
    used.add(same.reduce((best, one) => (distance(one) < distance(best) ? one : best)));
  }
  const repeated = updates.filter((one) => !used.has(one));
  return {
    used: updates.filter((one) => used.has(one)),
    repeated: repeated.map((update) => reject('repeated', update, update.ticker)),
  };
}
