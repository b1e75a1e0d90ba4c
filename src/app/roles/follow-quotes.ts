import type { Quote } from '../../domain/quote.ts';
import { quoteOfStored } from '../../domain/stored-quote.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Clock } from '../../lib/clock.ts';
import { repeat } from '../../lib/repeat.ts';
import type { Store } from '../../store/store.ts';

/** How often newer quotes are read without a hint, in milliseconds. */
const pullEveryMs = 1_000;

/** Quotes that follow a store, whichever process writes it. */
export interface FollowedQuotes extends AsyncDisposable {
  /** Time since the store last confirmed that there is nothing newer, in milliseconds. */
  readonly ageMs: number;
}

/**
 * Publishes the stored quotes, and then each newer one until disposed: at once when the store hints at
 * one, and at least every second. All stored quotes are published when the promise resolves. A reader
 * never goes back, because only newer versions are read.
 *
 * While the store is unavailable, the quotes that were published stay, and their age grows.
 *
 * @throws StoreFault when the first read fails.
 */
export async function followQuotes(
  { quotes, hints }: Pick<Store, 'quotes' | 'hints'>,
  {
    universe,
    publish,
    clock,
    onFault,
  }: {
    readonly universe: Universe;
    readonly publish: (quotes: readonly Quote[]) => void;
    readonly clock: Clock;
    readonly onFault: (fault: unknown) => void;
  },
): Promise<FollowedQuotes> {
  let version = 0;
  let confirmedAt = -Infinity;
  const pull = async (): Promise<void> => {
    // What is committed after this instant may be missing from the answer.
    const askedAt = clock.monotonic();
    const newer = await quotes.readNewer(version);
    const known = newer.flatMap((stored) => {
      const instrument = universe.find(stored.ticker);
      return instrument === undefined ? [] : [quoteOfStored(instrument, stored)];
    });
    if (known.length > 0) publish(known);
    version = newer.at(-1)?.version ?? version;
    confirmedAt = askedAt;
  };
  await pull();
  const pulling = repeat(pull, { pauseMs: pullEveryMs, onFault });
  const hinted = hints.subscribe((what) => {
    if (what === 'quotes') pulling.wake();
  });
  return {
    get ageMs() {
      return clock.monotonic() - confirmedAt;
    },
    [Symbol.asyncDispose]: async () => {
      hinted[Symbol.dispose]();
      await pulling[Symbol.asyncDispose]();
    },
  };
}
