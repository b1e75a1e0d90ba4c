import { Board } from '../../board/board.ts';
import type { Bus } from '../../bus/bus.ts';
import { LocalBus } from '../../bus/local/local-bus.ts';
import type { Universe } from '../../domain/universe.ts';
import { Engine } from '../../engine/engine.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { repeat } from '../../lib/repeat.ts';
import { HistoryFollower } from '../../pipeline/follow-history.ts';
import { Ingest } from '../../pipeline/ingest.ts';
import { Persist } from '../../pipeline/persist.ts';
import { serve } from '../../pipeline/serve.ts';
import type { HistoryChanges } from '../../store/history-changes.ts';
import type { Store } from '../../store/store.ts';
import { observeCommits } from './observe-commits.ts';
import type { CommitObserver } from './observe-commits.ts';

/** How often history is asked whether an import or a correction changed it. */
export const historyPollMs = 250;

/** How often sessions are looked at that may have ended. */
const settleIntervalMs = 1_000;

/** The writer and one reader over one store: everything between feeds and listeners. */
export interface Market extends AsyncDisposable {
  readonly board: Board;
  /** What the board follows; others may too. */
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly ingest: Ingest;
  readonly persist: Persist;
}

/** Told of what a market does, for the metrics. */
export interface MarketObserver {
  readonly commits: CommitObserver;
  /** Watches a board, once it is complete, until disposed. */
  watch(board: Board): Disposable;
}

/**
 * Opens the market: takes back what was stored, catches up with history, and from then on follows
 * history and ends sessions in time. The board is complete when this resolves. Disposing it makes
 * durable what is under way.
 */
export async function openMarket(parts: {
  readonly universe: Universe;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly settleDelayMs: number;
  /** Whether prices move outside the hours of their markets, as a simulation's may. */
  readonly isAlwaysOpen?: boolean;
  readonly observer?: MarketObserver | undefined;
  /** Told of changed history, from the first moment on. */
  readonly historyChanges?: HistoryChanges;
}): Promise<Market> {
  const { universe, store, clock, log, observer, historyChanges: changes } = parts;
  const { settleDelayMs, isAlwaysOpen = false } = parts;
  await using cleanUp = new AsyncDisposableStack();
  const engine = new Engine(universe, { settleDelayMs, nextVersion: 1, isAlwaysOpen });
  const board = new Board(universe);
  const bus = new LocalBus();
  cleanUp.use(serve(bus, board));
  const quotes =
    observer === undefined
      ? store.quotes
      : observeCommits(store.quotes, { observer: observer.commits, clock });
  const persist = cleanUp.use(new Persist({ quotes, bus, log }));

  engine.restore(await store.quotes.readAll());
  bus.publish(engine.quotes());
  const follower = new HistoryFollower({ engine, persist, history: store.history, changes });
  await follower.catchUp();
  cleanUp.use(observer?.watch(board));

  const onFault = (fault: unknown): void => log.error({ err: fault }, 'history cannot be followed');
  cleanUp.use(repeat(() => follower.catchUp(), { pauseMs: historyPollMs, onFault }));
  const settle = (): Promise<void> => persist.submit(engine.settle(clock.now()));
  // Persist has logged the fault and will try again by itself.
  cleanUp.use(repeat(settle, { pauseMs: settleIntervalMs, onFault: () => undefined }));

  const ingest = new Ingest({ engine, persist, clock });
  const running = cleanUp.move();
  return { board, bus, ingest, persist, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
