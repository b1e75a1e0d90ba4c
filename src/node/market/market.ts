import { Board } from '../../board/board.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import { quotesOfStored } from '../../domain/quotes/stored-quote.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { HistoryFollower } from '../../pipeline/history/follow-history.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { HistoryRevisions, type HistoryReader } from '../../store/contract/history-store.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { Store, StoreHints, VersionedParts } from '../../store/contract/store.ts';
import { openBars } from './demonstration-bars.ts';
import { followChanges, StoreFollower } from './follow-store.ts';

/** A store, and the place that it is in. */
export interface MarketSource {
  readonly place: StorePlace;
  /** It may be opened to read only. The caller disposes it after the market. */
  readonly store: Store;
}

/**
 * What listeners serve: the quotes in memory, and what is read from the store. It is the same in each process of
 * each node, whichever of them writes.
 */
export interface NodeMarket extends AsyncDisposable {
  readonly isSimulated: boolean;
  readonly board: Board;
  /** The closes, of instruments whose ticker has changed also under the earlier ticker. */
  readonly history: HistoryReader;
  /** Changes of the history and of the actions. */
  readonly revisions: HistoryRevisions;
  readonly bars: BarReader;
  /** The current and the earlier versions of what is stored. */
  readonly versions: VersionedParts;
  /** The corporate actions in force. */
  readonly actions: CorporateActions;
  /** The values of indices. */
  readonly indices: IndexSeries;
  /** Time since the store last confirmed that there is no newer quote, in milliseconds. 0 where it is not asked. */
  readonly ageMs: number;
  /** As {@link ageMs}, for clients. Absent over a data directory, which is on this machine. */
  readonly dataAgeMs: (() => number) | undefined;
  /** Whether another node reads the store, and this one cannot. */
  readonly isBehind: (() => boolean) | undefined;
  /** What this node knows of the history of its database. */
  readonly lineage: (() => string | undefined) | undefined;
  /** The state of the sources. Gives undefined where this node does not know it. */
  readonly sources: () => SourcesState | undefined;

  /** Shows quotes of this process before they are read from the store. Those that are not newer are ignored. */
  publish(quotes: readonly Quote[]): void;
  /** Reads what has changed of the history, the actions, the indices and the terms. */
  catchUpTables(): Promise<void>;
  /** Shows all stored quotes. If the store does not respond, they are shown as soon as it does. */
  catchUp(): Promise<void>;
  /** Shows no further quotes of the store, because another market is about to be shown instead. */
  stopFollowing(): void;
}

/**
 * Opens a market over a store. Quotes, history, corporate actions and indices are read from the store, and their
 * changes apply here as soon as the store shows them.
 *
 * @throws StoreFault when the store cannot be read.
 */
export async function openMarket({
  place,
  store,
  universe,
  log,
  intradaySessions,
  demonstrationSince,
  followsStore = true,
  hints = store.hints,
  isBehind,
  sources,
}: {
  readonly place: Pick<StorePlace, 'kind' | 'line' | 'damage'>;
  readonly store: Omit<Store, 'keys' | typeof Symbol.asyncDispose>;
  readonly universe: Universe;
  readonly log: Log;
  readonly intradaySessions: number;
  /** For a demonstration, gives the instant from which on it records bars, in epoch milliseconds. */
  readonly demonstrationSince?: (() => number) | undefined;
  /**
   * Whether changes of the store are followed. Otherwise a writer of this process publishes its quotes here, and says
   * when to read the rest. The first read of all is done when the promise resolves, but not that of such quotes.
   */
  readonly followsStore?: boolean;
  /** When to read at once what is newer. The default is the hints of the store. */
  readonly hints?: StoreHints;
  /** Whether another node reads the store, and this one cannot. */
  readonly isBehind?: (() => boolean) | undefined;
  readonly sources: NodeMarket['sources'];
}): Promise<NodeMarket> {
  await using cleanUp = new AsyncDisposableStack();
  const revisions = new HistoryRevisions();
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  // A damaged store refuses closes and bars. Cached responses are outdated, too, so that none outlives the damage.
  cleanUp.use(place.damage.onFound(() => revisions.increase(tickers)));
  const followed = new HistoryFollower(store, { revisions });
  const catchUpTables = (): Promise<void> => followed.catchUp();
  await catchUpTables();
  const onTableFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read changes of the history, retrying');
  if (followsStore) {
    cleanUp.use(followChanges(catchUpTables, { hints, onFault: onTableFault }));
  }

  const bars = openBars({
    store,
    actions: () => followed.actions,
    universe,
    sessions: intradaySessions,
    demonstrationSince,
  });
  const board = new Board(universe);
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read newer quotes, retrying');
  const follower = followsStore
    ? cleanUp.use(
        await StoreFollower.open({
          store: {
            readNewer: (version) => store.quotes.readNewer(version),
            subscribe: (onHint) =>
              hints.subscribe((what) => {
                if (what === 'quotes') onHint();
              }),
          },
          universe,
          publish: (newer) => board.adopt(newer),
          monotonic: () => systemClock.monotonic(),
          random: Math.random,
          onFault,
        }),
      )
    : undefined;
  const isOnDatabase = place.kind === 'postgres';
  const running = cleanUp.move();
  return {
    isSimulated: demonstrationSince !== undefined,
    board,
    history: followed.history,
    revisions,
    bars,
    versions: store,
    get actions() {
      return followed.actions;
    },
    get indices() {
      return followed.indices;
    },
    get ageMs() {
      return follower?.ageMs ?? 0;
    },
    dataAgeMs: isOnDatabase ? () => follower?.ageMs ?? 0 : undefined,
    isBehind: isOnDatabase ? isBehind : undefined,
    lineage: isOnDatabase ? () => place.line?.text : undefined,
    sources,
    publish: (newer) => board.adopt(newer),
    catchUpTables,
    catchUp: async () => {
      try {
        board.adopt(quotesOfStored(universe, await store.quotes.readNewer(0)));
      } catch (fault) {
        onFault(fault);
      }
    },
    stopFollowing: () => follower?.[Symbol.dispose](),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
