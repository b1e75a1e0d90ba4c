import type { Board } from '../../board/board.ts';
import { msPerDay } from '../../domain/calendar/plain-date.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { SourceOrder } from '../../domain/history/source-order.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { systemClock, type Clock } from '../../lib/time/clock.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { MarketSource } from './market.ts';
import { demonstration, MissedMinutes } from './demonstration.ts';
import { fillDemonstration } from './fill-demonstration.ts';
import { openLackingDays } from './lacking-days-note.ts';
import { clockFor, historySources, indexSources, openFeeds, type OpenFeeds } from './open-feeds.ts';
import { openPipeline, type Pipeline, type PipelineObserver } from './open-pipeline.ts';
import { FeedTallies } from '../../pipeline/live/feed-state.ts';
import { fillHistory } from '../../pipeline/history/fill-history.ts';
import { fillIndices } from '../../pipeline/indices/fill-indices.ts';
import { DifferenceReport } from '../../pipeline/history/report-differences.ts';
import { recordTerms } from '../../pipeline/record-terms.ts';
import { Gate } from '../../pipeline/live/gate.ts';
import type { FollowedServices } from '../../feeds/contract/followed-services.ts';
import type { ConfiguredFeeds } from '../../config/feeds/read-feeds.ts';
import type { Settings } from '../../config/settings/settings.ts';

/** What a node runs a market with. A reload may change it. */
export interface MarketParts {
  readonly universe: Universe;
  readonly settings: Settings;
  /** The configured feeds. A demonstration has a feed of its own instead. */
  readonly feeds: ConfiguredFeeds;
  readonly log: Log;
  readonly observer: PipelineObserver;
  /** The place of the installation. */
  readonly place: StorePlace;
  /** The services that this one follows. */
  readonly follows?: FollowedServices;
}

/** What a producer is opened with, and keeps. */
export interface ProducerOptions extends MarketSource {
  readonly isSimulated: boolean;
  /** Called once for each pipeline, when the claim is lost. From then on the pipeline stores nothing. */
  readonly onFenced?: () => void;
  /** Gives the first version that a pipeline may assign. The default is 1. Stored versions count in any case. */
  readonly firstVersion?: (() => number) | undefined;
  /** Receives the quotes of each pipeline: those that it continues from, then each when it is durable. */
  readonly onQuotes: (quotes: readonly Quote[]) => void;
  /** As in {@link openPipeline}. */
  readonly beforeReading?: (() => Promise<void>) | undefined;
  /** Renews a demonstration that has missed minutes. */
  readonly catchUp: () => Promise<void>;
}

/** Pause between two attempts to reopen a pipeline, in milliseconds. */
const reopenPauseMs = 1_000;

/** The parts of a producer that a renewal replaces. */
interface Running {
  readonly pipeline: Pipeline;
  readonly feeds: OpenFeeds;
  /** Fills gaps of the history and of the indices while it runs, and records the terms of bonds once. */
  readonly filling: AsyncDisposable;
}

/**
 * What writes the market: the feeds, the engine, and what stores their result.
 *
 * Its pipeline can be renewed. The old pipeline commits the updates under way and stops; then the new one opens.
 * Meanwhile updates wait. No update is refused or lost.
 */
export class Producer implements AsyncDisposable {
  readonly #options: ProducerOptions;
  /** Kept over renewals, so that no counter is reset. */
  readonly #tallies = new FeedTallies();
  #parts: MarketParts;
  #running: Running | undefined;
  #recordsFrom = 0;
  readonly #gate = new Gate();
  readonly #stopping = new AbortController();

  private constructor(parts: MarketParts, options: ProducerOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Starts the feeds. The caller disposes the store afterwards. */
  static async open(parts: MarketParts, options: ProducerOptions): Promise<Producer> {
    const producer = new Producer(parts, options);
    // Feeds submit updates as soon as they are started.
    await producer.#gate.whileClosed(async () => producer.#run(await producer.#start(parts)));
    return producer;
  }

  get #current(): Running {
    if (this.#running === undefined) throw new Error('the producer is not open yet');
    return this.#running;
  }

  /** The current pipeline. */
  get pipeline(): Pipeline {
    return this.#current.pipeline;
  }

  /** The feeds of the current pipeline, and the intake of pushed updates. */
  get feeds(): OpenFeeds {
    return this.#current.feeds;
  }

  readonly sources = (): SourcesState | undefined => this.#running?.feeds.sources();

  /** The instant from which on a demonstration records each minute, in epoch milliseconds. */
  get recordsFrom(): number {
    return this.#recordsFrom;
  }

  /** Stops storing at once, because the claim is lost. The caller disposes the producer next. */
  fence(fault: StoreFault): void {
    this.giveUpRenewal();
    this.#current.pipeline.persist.fence(fault);
  }

  /** Makes a renewal fail that tries to open a pipeline. The caller disposes the producer next. */
  giveUpRenewal(): void {
    this.#stopping.abort();
  }

  /**
   * Replaces the pipeline by one with another universe or other settings. A caller must wait for the
   * promise before the next call.
   *
   * @throws StoreFault when the new pipeline cannot be opened. Then the old one is open again.
   */
  async renew(parts: MarketParts): Promise<void> {
    await this.#gate.whileClosed(async () => {
      try {
        // The old pipeline must stop first: two writers over one store would assign the same versions.
        await this.#current.filling[Symbol.asyncDispose]();
        await this.#current.pipeline[Symbol.asyncDispose]();
        await this.#replace(parts);
        this.#parts = parts;
      } catch (fault) {
        await this.#reopen();
        throw fault;
      }
    });
  }

  #run(running: Running): void {
    this.#running = running;
    this.#gate.leadTo(running.pipeline.ingest);
  }

  /**
   * Reopens the previous pipeline. Its quotes are still shown, so this retries until it succeeds, the claim is
   * lost or the producer stops.
   */
  async #reopen(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#replace(this.#parts);
        return;
      } catch (fault) {
        if (fault instanceof StoreFault && fault.code === 'fenced') return;
        const details = { err: fault, failures };
        if (isPowerOfTwo(failures)) {
          this.#parts.log.error(details, 'could not reopen the market, retrying');
        }
        await pauseInRealTime(reopenPauseMs, signal).catch(() => undefined);
      }
    }
  }

  /** Starts a pipeline and its feeds in place of a pipeline that has stopped. */
  async #replace(parts: MarketParts): Promise<void> {
    const old = this.#current;
    this.#run(await this.#start(parts));
    // The updates that the old feeds still submit wait at the gate, and go to the new pipeline.
    void old.feeds[Symbol.asyncDispose]();
  }

  async #start(parts: MarketParts): Promise<Running> {
    const { universe, settings, log, observer, feeds, follows } = parts;
    const { isSimulated, place, store, onFenced, onQuotes, firstVersion } = this.#options;
    const { beforeReading, catchUp } = this.#options;
    const clock = clockFor(feeds);
    if (isSimulated) {
      const { seed, name: source } = demonstration;
      this.#recordsFrom = clock.now();
      await fillDemonstration(store, { universe, seed, source, now: this.#recordsFrom });
    }
    const settleDelayMs = settings.settleDelayMinutes * 60_000;
    const differences = new DifferenceReport({
      clock,
      log,
      count: observer.differences,
      countRejected: observer.rejectedRows,
    });
    await using cleanUp = new AsyncDisposableStack();
    const pipeline = cleanUp.use(
      await openPipeline({
        universe,
        store,
        clock,
        log,
        settleDelayMs,
        firstPriceAgeMs: settings.firstPriceAgeDays * msPerDay,
        intradaySessions: settings.intradaySessions,
        observer,
        beforeReading,
        isFollowed: place.kind === 'postgres',
        differences,
        onFenced,
        firstVersion: firstVersion?.(),
      }),
    );
    onQuotes(quotesOn(pipeline.board));
    // The subscription ends with the board of the pipeline.
    pipeline.board.subscribe(onQuotes);
    const filling = cleanUp.use(
      await this.#fillHistory(feeds, { universe, settings, log, clock, differences }),
    );
    const { board } = pipeline;
    const tallies = this.#tallies;
    const ingest = isSimulated
      ? new MissedMinutes({
          next: this.#gate,
          clock,
          completeTo: this.#recordsFrom,
          catchUp,
          stopping: this.#stopping.signal,
        })
      : this.#gate;
    // Last: feeds that wait at the gate end after the renewal only, so a failure could not dispose them.
    const recordsBars = settings.intradaySessions > 0;
    const live = { ingest, universe, clock, log, tallies, board };
    const running = openFeeds(feeds, { ...live, recordsBars, follows });
    cleanUp.move();
    return { pipeline, feeds: running, filling };
  }

  /** Nothing is filled while a recording is replayed: its time is not that of the sources. */
  async #fillHistory(
    feeds: ConfiguredFeeds,
    deps: Pick<MarketParts, 'universe' | 'settings' | 'log'> & {
      readonly clock: Clock;
      readonly differences: DifferenceReport;
    },
  ): Promise<AsyncDisposable> {
    const { universe, settings, log, clock, differences } = deps;
    const isOff = settings.historyFetch === 'off' || clock !== systemClock;
    await using cleanUp = new AsyncDisposableStack();
    const lacking = cleanUp.use(await openLackingDays(this.#options.place.notes, { clock, log }));
    const sources = isOff ? [] : historySources(feeds, { universe, clock, log });
    const filling = fillHistory({
      sources,
      order: new SourceOrder(sources.map(({ name }) => name)),
      history: this.#options.store.history,
      actions: this.#options.store.actions,
      universe,
      clock,
      random: Math.random,
      pause: pauseInRealTime,
      lacking: lacking.days,
      settleDelayMs: settings.settleDelayMinutes * 60_000,
      log,
      differences,
    });
    cleanUp.use(filling);
    cleanUp.use(
      fillIndices({
        sources: isOff ? [] : indexSources(feeds, { universe, clock, log }),
        store: this.#options.store.indices,
        calendar: settlementCalendar(universe),
        clock,
        random: Math.random,
        pause: pauseInRealTime,
        log,
      }),
    );
    cleanUp.use(
      recordTerms({ store: this.#options.store, universe, clock, pause: pauseInRealTime, log }),
    );
    return cleanUp.move();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#gate.opened();
    const { pipeline, feeds, filling } = this.#current;
    await filling[Symbol.asyncDispose]();
    await feeds[Symbol.asyncDispose]();
    await pipeline[Symbol.asyncDispose]();
  }
}

/** The quotes of a board, in order of version. */
function quotesOn(board: Board): readonly Quote[] {
  const quotes = board.universe.instruments.flatMap((one) => board.quote(one) ?? []);
  return quotes.sort((a, b) => a.version - b.version);
}
