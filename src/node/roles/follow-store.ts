import { StoreFollower } from '../../bus/store/store-follower.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { quotesOfStored } from '../../domain/quotes/stored-quote.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { Store } from '../../store/contract/store.ts';
import type { LocalCopy } from './local-copy.ts';

/** How often a store that could not be followed at the start is tried again, in milliseconds. */
const retryMs = 250;

/** Quotes that follow a store, whichever process writes it. */
export interface FollowedQuotes extends AsyncDisposable {
  /** Time since the store last confirmed that there is nothing newer, in milliseconds. */
  readonly ageMs: number;
}

/**
 * Publishes all stored quotes, and then each newer one until disposed. If the store is unavailable and
 * there is a whole copy of it, the quotes of the copy are published, and the store is followed as soon as
 * that is possible.
 *
 * @throws StoreFault when the first read fails, without a copy.
 */
export async function followStore({
  store,
  copy,
  universe,
  publish,
  clock,
  log,
}: {
  readonly store: Pick<Store, 'quotes' | 'hints'>;
  readonly copy: LocalCopy | undefined;
  readonly universe: Universe;
  readonly publish: (quotes: readonly Quote[]) => void;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<FollowedQuotes> {
  await using cleanUp = new AsyncDisposableStack();
  let follower: StoreFollower | undefined;
  const stopping = new AbortController();
  const follow = async (): Promise<void> => {
    if (follower !== undefined) return;
    follower = await StoreFollower.open({
      store: {
        readNewer: (version) => store.quotes.readNewer(version),
        subscribe: (onHint) =>
          store.hints.subscribe((what) => {
            if (what === 'quotes') onHint();
          }),
      },
      universe,
      publish,
      monotonic: () => clock.monotonic(),
      random: Math.random,
      onFault,
      signal: stopping.signal,
    });
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read newer quotes, retrying');
  cleanUp.defer(() => follower?.[Symbol.dispose]());
  try {
    await follow();
  } catch (fault) {
    if (copy?.isComplete !== true) throw fault;
    log.warn({ err: fault, ageMs: Math.round(copy.ageMs) }, 'starting from the local copy');
    publish(quotesOfStored(universe, await copy.store.quotes.readAll()));
    cleanUp.use(repeat(follow, { pauseMs: retryMs, onFault: () => undefined }));
    // The try under way need not be awaited.
    cleanUp.defer(() => stopping.abort());
  }
  const running = cleanUp.move();
  return {
    get ageMs() {
      return follower?.ageMs ?? copy?.ageMs ?? Infinity;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
