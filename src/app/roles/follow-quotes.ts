import { StoreFollower } from '../../bus/store/store-follower.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/store.ts';

/** Quotes that follow a store, whichever process writes it. */
export interface FollowedQuotes extends Disposable {
  /** Time since the store last confirmed that there is nothing newer, in milliseconds. */
  readonly ageMs: number;
}

/**
 * Publishes the stored quotes, and then each newer one until disposed. All stored quotes are published when
 * the promise resolves.
 *
 * @throws StoreFault when the first read fails.
 */
export function followQuotes(
  { quotes, hints }: Pick<Store, 'quotes' | 'hints'>,
  own: {
    readonly universe: Universe;
    readonly publish: (quotes: readonly Quote[]) => void;
    readonly clock: Clock;
    readonly onFault: (fault: unknown) => void;
  },
): Promise<FollowedQuotes> {
  const { universe, publish, clock, onFault } = own;
  return StoreFollower.open({
    store: {
      readNewer: (version) => quotes.readNewer(version),
      subscribe: (onHint) =>
        hints.subscribe((what) => {
          if (what === 'quotes') onHint();
        }),
    },
    universe,
    publish,
    monotonic: () => clock.monotonic(),
    random: Math.random,
    onFault,
  });
}
