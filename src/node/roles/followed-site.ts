import { Board } from '../../board/board.ts';
import { LocalBus } from '../../bus/local/local-bus.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Log } from '../../lib/reports/log.ts';
import { ActionFollower } from '../../pipeline/history/follow-actions.ts';
import { IndexFollower } from '../../pipeline/indices/follow-indices.ts';
import { TermsFollower } from '../../pipeline/terms/follow-terms.ts';
import { serve } from '../../pipeline/live/serve.ts';
import { ContinuedHistory } from '../../store/continued/continued-history.ts';
import type { StoreDamage } from '../../store/contract/store-fault.ts';
import { dropWhenDamaged, followChanges } from '../site/follow-changes.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import { HistoryChanges } from '../../store/contract/history-store.ts';
import type { Store } from '../../store/contract/store.ts';
import type { SiteView } from '../listeners/open-listeners.ts';
import { openBars } from '../site/demonstration-bars.ts';
import { StoreFollower } from '../../bus/store/store-follower.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** A site whose market runs elsewhere: in another process, or on another machine. */
export interface FollowedSite extends SiteView, AsyncDisposable {
  /** Shows quotes of that market. Those that are not newer are ignored. */
  publish(quotes: readonly Quote[]): void;
}

/**
 * Opens a site that only reads. This is the serving part of every process that does not run the market
 * itself. History, corporate actions and indices are read from the store, and their changes apply here as soon as
 * the store shows them. Quotes are those that the caller publishes.
 *
 * @throws StoreFault when the store cannot be read.
 */
export async function openFollowedSite({
  universe,
  store,
  damage,
  log,
  intradaySessions,
  demonstrationSince,
  dataAgeMs,
  isBehind,
  lineage,
  sources,
}: {
  readonly universe: Universe;
  /** It may be opened to read only. The caller disposes it after the site. */
  readonly store: Pick<
    Store,
    'history' | 'actions' | 'indices' | 'terms' | 'memory' | 'bars' | 'hints'
  >;
  /** The damage of the store, if its place notes what reads find. */
  readonly damage?: StoreDamage;
  readonly log: Log;
  readonly intradaySessions: number;
  /** For a demonstration, the instant from which on it records bars, in epoch milliseconds. */
  readonly demonstrationSince?: number | undefined;
  readonly dataAgeMs?: () => number;
  readonly isBehind?: () => boolean;
  readonly lineage?: () => string | undefined;
  readonly sources?: () => SourcesState | undefined;
}): Promise<FollowedSite> {
  await using cleanUp = new AsyncDisposableStack();
  const historyChanges = new HistoryChanges();
  if (damage !== undefined) cleanUp.use(dropWhenDamaged({ damage, historyChanges, universe }));
  const actions = new ActionFollower(store.actions, (tickers) => historyChanges.publish(tickers));
  const indices = new IndexFollower(store.indices);
  const terms = new TermsFollower(store, (tickers) => historyChanges.publish(tickers));
  const history = new ContinuedHistory(store.history, () => actions.current);
  // No series is cached yet, so only later changes matter.
  let { revision } = await history.changesSince(Number.MAX_SAFE_INTEGER);
  await actions.catchUp();
  await indices.catchUp();
  await terms.catchUp();
  const catchUp = async (): Promise<void> => {
    await actions.catchUp();
    const changes = await history.changesSince(revision);
    if (changes.tickers.length > 0) historyChanges.publish(changes.tickers);
    ({ revision } = changes);
    await indices.catchUp();
    await terms.catchUp();
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read changes of the history, retrying');
  cleanUp.use(followChanges(catchUp, { hints: store.hints, onFault }));

  const bars = openBars({
    store,
    actions: () => actions.current,
    universe,
    sessions: intradaySessions,
    demonstrationSince,
  });
  const board = new Board(universe);
  const bus = new LocalBus();
  cleanUp.use(serve(bus, board));
  const running = cleanUp.move();
  return {
    isSimulated: demonstrationSince !== undefined,
    dataAgeMs,
    isBehind,
    lineage,
    sources,
    pipeline: {
      board,
      bus,
      history,
      historyChanges,
      bars,
      memory: store.memory,
      indexMemory: store.indices,
      get actions() {
        return actions.current;
      },
      get indices() {
        return indices.current;
      },
    },
    publish: (quotes) => bus.publish(quotes),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * Publishes all stored quotes, and then each newer one until disposed, whichever process writes them.
 *
 * @throws StoreFault when the first read fails.
 */
export function followStore({
  store,
  universe,
  publish,
  clock,
  log,
}: {
  readonly store: Pick<Store, 'quotes' | 'hints'>;
  readonly universe: Universe;
  readonly publish: (quotes: readonly Quote[]) => void;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<StoreFollower> {
  return StoreFollower.open({
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
    onFault: (fault) => log.error({ err: fault }, 'could not read newer quotes, retrying'),
  });
}
