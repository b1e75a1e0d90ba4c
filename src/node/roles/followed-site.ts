import { Board } from '../../board/board.ts';
import { LocalBus } from '../../bus/local-bus.ts';
import { StoreFollower } from '../../bus/store-follower.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { quotesOfStored } from '../../domain/quotes/stored-quote.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { HistoryFollower } from '../../pipeline/history/follow-history.ts';
import { dropWhenDamaged, followChanges } from '../site/follow-changes.ts';
import { HistoryChanges } from '../../store/contract/history-store.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { Store, StoreHints } from '../../store/contract/store.ts';
import type { SiteView } from '../listeners/open-listeners.ts';
import { openBars } from '../site/demonstration-bars.ts';

/** What a site that follows a store reads. */
export type FollowedStore = Pick<
  Store,
  'history' | 'actions' | 'indices' | 'terms' | 'memory' | 'bars' | 'quotes' | 'hints'
>;

/** A site whose market runs elsewhere: in another process, or on another machine. */
export interface FollowedSite extends SiteView, AsyncDisposable {
  /** Time since the store last confirmed that there is nothing newer, in milliseconds. */
  readonly ageMs: number;
  /** Shows quotes of that market before the store does. Those that are not newer are ignored. */
  publish(quotes: readonly Quote[]): void;
  /**
   * Continues where another site over the same store stops, so that no stream goes back: that one shows nothing
   * more, and this one reads every quote that it has shown. If the store does not respond, the missing quotes are
   * read as soon as it does.
   */
  continueAfter(before: FollowedSite): Promise<void>;
  /** Shows no further quotes. */
  stopFollowing(): void;
}

/**
 * Opens a site that only reads. This is the serving part of every process that does not run the market
 * itself. Quotes, history, corporate actions and indices are read from the store, and their changes apply here as
 * soon as the store shows them. The first full read is done when the promise resolves.
 *
 * @throws StoreFault when the store cannot be read.
 */
export async function openFollowedSite({
  place,
  store,
  universe,
  log,
  intradaySessions,
  demonstrationSince,
  hints = store.hints,
  isBehind,
  sources,
}: {
  readonly place: Pick<StorePlace, 'kind' | 'line' | 'damage'>;
  /** It may be opened to read only. The caller disposes it after the site. */
  readonly store: FollowedStore;
  readonly universe: Universe;
  readonly log: Log;
  readonly intradaySessions: number;
  /** For a demonstration, the instant from which on it records bars, in epoch milliseconds. */
  readonly demonstrationSince?: number | undefined;
  /** When to read newer quotes at once. */
  readonly hints?: StoreHints;
  /** Whether another node reads the store, and this one cannot. */
  readonly isBehind?: (() => boolean) | undefined;
  readonly sources: SiteView['sources'];
}): Promise<FollowedSite> {
  await using cleanUp = new AsyncDisposableStack();
  const historyChanges = new HistoryChanges();
  cleanUp.use(dropWhenDamaged({ damage: place.damage, historyChanges, universe }));
  const followed = new HistoryFollower(store, { changes: historyChanges });
  await followed.catchUp();
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read changes of the history, retrying');
  cleanUp.use(followChanges(() => followed.catchUp(), { hints: store.hints, onFault }));

  const bars = openBars({
    store,
    actions: () => followed.actions,
    universe,
    sessions: intradaySessions,
    demonstrationSince,
  });
  const board = new Board(universe);
  const bus = new LocalBus();
  cleanUp.use(bus.follow(0, (quotes) => board.adopt(quotes)));
  const onQuoteFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read newer quotes, retrying');
  const quotes = cleanUp.use(
    await StoreFollower.open({
      store: {
        readNewer: (version) => store.quotes.readNewer(version),
        subscribe: (onHint) =>
          hints.subscribe((what) => {
            if (what === 'quotes') onHint();
          }),
      },
      universe,
      publish: (newer) => bus.publish(newer),
      monotonic: () => systemClock.monotonic(),
      random: Math.random,
      onFault: onQuoteFault,
    }),
  );
  const running = cleanUp.move();
  const stopFollowing = (): void => quotes[Symbol.dispose]();
  return {
    isSimulated: demonstrationSince !== undefined,
    // A file is on this machine: it is read, or its process ends.
    ...(place.kind === 'sqlite'
      ? {}
      : { dataAgeMs: () => quotes.ageMs, isBehind, lineage: () => place.line?.text }),
    sources,
    pipeline: {
      board,
      bus,
      history: followed.history,
      historyChanges,
      bars,
      memory: store.memory,
      indexMemory: store.indices,
      get actions() {
        return followed.actions;
      },
      get indices() {
        return followed.indices;
      },
    },
    get ageMs() {
      return quotes.ageMs;
    },
    publish: (newer) => bus.publish(newer),
    stopFollowing,
    continueAfter: async (before) => {
      before.stopFollowing();
      try {
        bus.publish(quotesOfStored(universe, await store.quotes.readNewer(0)));
      } catch (fault) {
        onQuoteFault(fault);
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
