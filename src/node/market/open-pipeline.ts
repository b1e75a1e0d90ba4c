import { Board } from '../../board/board.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { Engine } from '../../engine/engine.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { CommitPacing } from '../../pipeline/live/commit-pace.ts';
import { HistoryAdopter } from '../../pipeline/history/adopt-history.ts';
import { HistoryFollower } from '../../pipeline/history/follow-history.ts';
import { Ingest } from '../../pipeline/live/ingest.ts';
import { Persist } from '../../pipeline/live/persist.ts';
import type {
  CountDifferences,
  CountRejectedRows,
  DifferenceReport,
} from '../../pipeline/history/report-differences.ts';
import { reportJudged, type CountJudged } from '../../pipeline/live/report-judged.ts';
import { tidyBars } from '../../pipeline/live/tidy-bars.ts';
import type { Store } from '../../store/contract/store.ts';
import { followChanges } from './follow-store.ts';
import type { QuoteStore } from '../../store/contract/quote-store.ts';

/** How often the engine ends sessions that are over, in milliseconds. */
const settleIntervalMs = 1_000;

/**
 * The commits of a store that other nodes follow: at most 100 a second under load, because each one costs the
 * database a synced write, and each node a notification. An update waits only while commits follow one another
 * more often, for longer than a burst.
 */
const followedCommits: CommitPacing = { gapMs: 10, burst: 4 };

/** Everything between the feeds and the store. */
export interface Pipeline extends AsyncDisposable {
  /** The quotes that are durable. Others may subscribe. */
  readonly board: Board;
  readonly ingest: Ingest;
  readonly persist: Persist;
}

/** Receives the events of a pipeline, for the metrics. */
export interface PipelineObserver {
  readonly commits: CommitObserver;
  /** Counts closes that differ from stored ones. */
  readonly differences: CountDifferences;
  readonly rejectedRows: CountRejectedRows;
  /** Counts what the judge decided about live prices. */
  readonly judged: CountJudged;
  /** Observes a complete board until disposed. */
  watch(board: Board): Disposable;
}

/**
 * Opens the pipeline: restores the stored quotes, and applies the corporate actions and the changes of the
 * history. From then on it follows both, and ends sessions in time. The board is complete when the promise resolves.
 * Disposing it commits the updates under way.
 */
export async function openPipeline(parts: {
  readonly universe: Universe;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly settleDelayMs: number;
  /** Maximum age of the first price of a session. The default is 30 days. */
  readonly firstPriceAgeMs?: number;
  /**
   * Number of sessions of each instrument whose minutes are kept as bars. With 0, bars are neither recorded
   * nor kept. By default, they are not recorded, and those that exist are kept.
   */
  readonly intradaySessions?: number;
  readonly observer?: PipelineObserver | undefined;
  /** Called before each read of changes of the history, so that readers have them before the quotes change. */
  readonly beforeReading?: (() => Promise<void>) | undefined;
  /** Whether other nodes follow the store: each of them pulls every commit. */
  readonly isFollowed?: boolean;
  /** Reports closes of other sources that sessions replace. */
  readonly differences?: DifferenceReport;
  /** The first version to assign, if no stored one is greater. The default is 1. */
  readonly firstVersion?: number | undefined;
  /** Called once, when the claim is lost. From then on nothing is stored. */
  readonly onFenced?: (() => void) | undefined;
}): Promise<Pipeline> {
  const { universe, store, clock, log, observer } = parts;
  const { differences } = parts;
  const { settleDelayMs, intradaySessions } = parts;
  await using cleanUp = new AsyncDisposableStack();
  const engine = new Engine(universe, {
    settleDelayMs,
    firstPriceAgeMs: parts.firstPriceAgeMs,
    nextVersion: parts.firstVersion ?? 1,
    recordsBars: (intradaySessions ?? 0) > 0,
    onJudged: (judged) =>
      reportJudged(judged, { log, count: observer?.judged ?? (() => undefined) }),
  });
  const board = new Board(universe);
  const quotes =
    observer === undefined
      ? store.quotes
      : observeCommits(store.quotes, { observer: observer.commits, clock });
  const persist = cleanUp.use(
    new Persist({
      quotes,
      publish: (published) => board.adopt(published),
      log,
      clock,
      pacing:
        parts.isFollowed === true
          ? { ...followedCommits, monotonic: () => clock.monotonic() }
          : undefined,
      onConflicts: (conflicts) => differences?.replaced(conflicts),
      onFenced: () => parts.onFenced?.(),
    }),
  );

  observer?.commits.begin?.();
  engine.restore(await store.quotes.readAll());
  board.adopt(engine.quotes());
  const followed = new HistoryFollower(store, {
    async adoptActions(tickers) {
      await persist.submit(engine.adoptActions(followed.actions, tickers));
      await adopter.adopt(tickers);
    },
    adoptHistory: (tickers) => adopter.adopt(tickers),
  });
  const { history } = followed;
  const adopter = new HistoryAdopter({ engine, persist, history });
  const { beforeReading = async () => undefined } = parts;
  const catchUp = async (): Promise<void> => {
    await beforeReading();
    await followed.catchUpCloses();
  };
  await catchUp();
  cleanUp.use(observer?.watch(board));

  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not read changes of the history, retrying');
  cleanUp.use(followChanges(catchUp, { hints: store.hints, onFault }));
  const settle = (): Promise<void> => persist.submit(engine.settle(clock.now()));
  // Persist has logged the fault, and retries.
  cleanUp.use(repeat(settle, { pauseMs: settleIntervalMs, onFault: () => undefined }));

  if (intradaySessions !== undefined) {
    const options = { clock, log, settleDelayMs, sessionsMax: intradaySessions };
    cleanUp.use(tidyBars({ bars: store.bars, ...options }));
  }

  const ingest = new Ingest({ engine, persist, clock });
  const running = cleanUp.move();
  return {
    board,
    ingest,
    persist,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Receives every commit of quotes, for the metrics and for the readiness. */
export interface CommitObserver {
  committed(commit: {
    readonly quotes: number;
    readonly closes: number;
    readonly seconds: number;
  }): void;
  failed(fault: unknown): void;
  /** A market opens. What failed before no longer counts. */
  begin?(): void;
}

/** The same store of quotes, with an observer of its commits. */
function observeCommits(
  store: Pick<QuoteStore, 'commit'>,
  { observer, clock }: { readonly observer: CommitObserver; readonly clock: Clock },
): Pick<QuoteStore, 'commit'> {
  return {
    async commit(commit) {
      const begun = clock.monotonic();
      let conflicts;
      try {
        conflicts = await store.commit(commit);
      } catch (fault) {
        observer.failed(fault);
        throw fault;
      }
      observer.committed({
        quotes: commit.quotes.length,
        closes: commit.closes.length,
        seconds: (clock.monotonic() - begun) / 1_000,
      });
      return conflicts;
    },
  };
}
