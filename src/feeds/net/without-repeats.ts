import type { Ticker } from '../../domain/instruments/ticker.ts';
import { hasPrices, type Update } from '../../domain/quotes/update.ts';
import { type FeedMessage, type Rejected, reject } from '../contract/feed.ts';

/** A response with one price for each instrument, by {@link oneOfEach}. A book without a price stays. */
export function withoutRepeats(message: FeedMessage): FeedMessage {
  const { updates, rejected } = message;
  const { used, repeated } = oneOfEach(updates.filter(hasPrices), (update) => update);
  if (repeated.length === 0) return message;
  const prices = new Set(used);
  return {
    ...message,
    updates: updates.filter((update) => !hasPrices(update) || prices.has(update)),
    rejected: [...rejected, ...repeated],
  };
}

/**
 * Selects one item of each instrument, in their order, and rejects the others by name. If they were all
 * used, the price would move back and forth with every response, or never move again. The item that is
 * nearest to the price before is used; without a price before, the first one.
 *
 * @param lastOf the last price that was used of an instrument.
 */
export function oneOfEach<Item>(
  items: readonly Item[],
  updateOf: (item: Item) => Update,
  lastOf: (ticker: Ticker) => number | undefined = () => undefined,
): { readonly used: readonly Item[]; readonly repeated: readonly Rejected[] } {
  const byTicker = Map.groupBy(items, (item) => updateOf(item).ticker);
  if (byTicker.size === items.length) return { used: items, repeated: [] };
  const used = new Set<Item>();
  for (const [ticker, same] of byTicker) {
    const before = lastOf(ticker) ?? Number.NaN;
    const distance = (item: Item): number => {
      const { last = Number.NaN } = updateOf(item);
      return Math.abs(last - before);
    };
    used.add(same.reduce((best, item) => (distance(item) < distance(best) ? item : best)));
  }
  const repeated = items.filter((item) => !used.has(item)).map(updateOf);
  return {
    used: items.filter((item) => used.has(item)),
    repeated: repeated.map((update) => reject('repeated', update, update.ticker)),
  };
}
