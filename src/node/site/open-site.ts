import type { Board } from '../../board/board.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { SourceOrder } from '../../domain/history/source-order.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { systemClock, type Clock } from '../../lib/time/clock.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { StorePlace, WriterClaim } from '../../store/contract/place.ts';
import { HistoryChanges } from '../../store/contract/history-store.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { dropWhenDamaged } from './follow-changes.ts';
import { demonstrated, demonstration, MissedMinutes } from './demonstration.ts';
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

/** What both kinds of site are built from. */
export interface SiteParts {
  readonly universe: Universe;
  readonly settings: Settings;
  /** The configured feeds. A demonstration has a feed of its own instead. */
  readonly feeds: ConfiguredFeeds;
  readonly log: Log;
  readonly observer: PipelineObserver;
  /** The place of the installation. */
  readonly place: StorePlace;
  /** The claim of the place. It covers the place of the demonstration. */
  readonly claim: WriterClaim;
  /** Called once for each pipeline, when the claim is lost. From then on the pipeline stores nothing. */
  readonly onFenced?: () => void;
  /** Gives the first version that a pipeline may assign. The default is 1. Stored versions count in any case. */
  readonly firstVersion?: () => number;
  /** The services that this one follows. */
  readonly follows?: FollowedServices;
  /** Receives the quotes of each pipeline: those that it continues from, then each when it is durable. */
  readonly onQuotes?: (quotes: readonly Quote[]) => void;
}

/** Pause between two attempts to reopen a pipeline, in milliseconds. */
const reopenPauseMs = 1_000;

/** Opens the real market over the store of the installation. The caller closes the store. */
export async function openRealSite(parts: SiteParts, store: Store): Promise<Site> {
  return Site.open({ isSimulated: false, place: parts.place, store, parts });
}

/**
 * Opens the demonstration, and closes its store with the site. The store is its own, so that real and simulated data
 * never mix.
 *
 * @param catchUp renews the site. Called after the machine was suspended.
 */
export async function openSimulatedSite(
  parts: SiteParts,
  catchUp: () => Promise<void>,
): Promise<Site> {
  await using cleanUp = new AsyncDisposableStack();
  const place = cleanUp.use(parts.place.demonstration());
  const store = cleanUp.use(await place.open({ mode: 'create', claim: parts.claim }));
  const site = await Site.open({ isSimulated: true, place, store, parts, catchUp });
  site.closeAfterwards(cleanUp.move());
  return site;
}

/** The parts of a site that a renewal replaces. */
interface Running {
  readonly pipeline: Pipeline;
  readonly feeds: OpenFeeds;
  /** Fills gaps of the history and of the indices while it runs, and records the terms of bonds once. */
  readonly filling: AsyncDisposable;
  /** Drops what is cached when damage is found. */
  readonly dropping: Disposable;
}

/** What a site is opened with. */
interface OwnParts {
  readonly isSimulated: boolean;
  /** The place of the store: that of the installation, or that of its demonstration. */
  readonly place: StorePlace;
  readonly store: Store;
  readonly parts: SiteParts;
  /** Renews a demonstration that has missed minutes. */
  readonly catchUp?: () => Promise<void>;
}

/**
 * What the listeners serve: the real market of this installation, or a demonstration with simulated
 * prices.
 *
 * The pipeline of a site can be renewed while it is served. The old pipeline commits the updates under way
 * and stops; then the new one opens. Meanwhile readers see the unchanged board of the old pipeline, and
 * updates wait. No update is refused or lost.
 */
export class Site implements AsyncDisposable {
  readonly isSimulated: boolean;
  readonly #historyChanges = new HistoryChanges();
  readonly #place: StorePlace;
  readonly #store: Store;
  readonly #catchUp: () => Promise<void>;
  /** Kept over renewals, so that no counter is reset. */
  readonly #tallies = new FeedTallies();
  /** Disposed after the pipeline. */
  #below: AsyncDisposable | undefined;
  #parts: SiteParts;
  #running: Running | undefined;
  readonly #gate = new Gate();
  readonly #stopping = new AbortController();

  private constructor(own: OwnParts) {
    this.isSimulated = own.isSimulated;
    this.#place = own.place;
    this.#store = own.store;
    this.#catchUp = own.catchUp ?? (async () => undefined);
    this.#parts = own.parts;
  }

  static async open(own: OwnParts): Promise<Site> {
    const site = new Site(own);
    // Feeds submit updates as soon as they are started.
    await site.#gate.whileClosed(async () => site.#run(await site.#start(own.parts)));
    return site;
  }

  /** Makes the site dispose what it depends on, after itself. */
  closeAfterwards(below: AsyncDisposable): void {
    this.#below = below;
  }

  get #current(): Running {
    if (this.#running === undefined) throw new Error('the site is not open yet');
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

  /** Stops storing at once, because the claim is lost. The caller disposes the site next. */
  fence(fault: StoreFault): void {
    this.giveUpRenewal();
    this.#current.pipeline.persist.fence(fault);
  }

  /** Makes a renewal fail that tries to open a pipeline. The caller disposes the site next. */
  giveUpRenewal(): void {
    this.#stopping.abort();
  }

  /**
   * Replaces the pipeline by one with another universe or other settings. A caller must wait for the
   * promise before the next call.
   *
   * @throws StoreFault when the new pipeline cannot be opened. Then the old one is open again.
   */
  async renew(parts: SiteParts): Promise<void> {
    await this.#gate.whileClosed(async () => {
      try {
        // The old pipeline must stop first: two writers over one store would assign the same versions.
        this.#current.dropping[Symbol.dispose]();
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
   * lost or the site stops.
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
  async #replace(parts: SiteParts): Promise<void> {
    const old = this.#current;
    this.#run(await this.#start(parts));
    // The updates that the old feeds still submit wait at the gate, and go to the new pipeline.
    void old.feeds[Symbol.asyncDispose]();
  }

  async #start(parts: SiteParts): Promise<Running> {
    const { universe, settings, log, observer, onFenced, onQuotes, firstVersion, feeds, follows } =
      this.isSimulated ? demonstrated(parts) : parts;
    const clock = clockFor(feeds);
    const completeTo = this.isSimulated ? clock.now() : undefined;
    if (completeTo !== undefined) {
      const { seed, name: source } = demonstration;
      await fillDemonstration(this.#store, { universe, seed, source, now: completeTo });
    }
    const { damage } = this.#place;
    const settleDelayMs = settings.settleDelayMinutes * 60_000;
    const differences = new DifferenceReport({
      clock,
      log,
      count: observer.differences,
      countRejected: observer.rejectedRows,
    });
    await using cleanUp = new AsyncDisposableStack();
    const dropping = cleanUp.use(
      dropWhenDamaged({ damage, universe, historyChanges: this.#historyChanges }),
    );
    const pipeline = cleanUp.use(
      await openPipeline({
        universe,
        store: this.#store,
        clock,
        log,
        settleDelayMs,
        firstPriceAgeMs: settings.firstPriceAgeDays * 86_400_000,
        intradaySessions: settings.intradaySessions,
        demonstrationSince: completeTo,
        observer,
        historyChanges: this.#historyChanges,
        isFollowed: this.#place.kind === 'postgres',
        differences,
        onFenced,
        firstVersion: firstVersion?.(),
      }),
    );
    if (onQuotes !== undefined) {
      onQuotes(quotesOn(pipeline.board));
      // The subscription ends with the bus of the pipeline.
      pipeline.bus.subscribe(onQuotes);
    }
    const filling = cleanUp.use(
      await this.#fillHistory(feeds, { universe, settings, log, clock, differences }),
    );
    const { board } = pipeline;
    const tallies = this.#tallies;
    const ingest =
      completeTo === undefined
        ? this.#gate
        : new MissedMinutes({
            next: this.#gate,
            clock,
            completeTo,
            catchUp: this.#catchUp,
            stopping: this.#stopping.signal,
          });
    // Last: feeds that wait at the gate end after the renewal only, so a failure could not dispose them.
    const recordsBars = settings.intradaySessions > 0;
    const live = { ingest, universe, clock, log, tallies, board };
    const running = openFeeds(feeds, { ...live, recordsBars, follows });
    cleanUp.move();
    return { pipeline, feeds: running, filling, dropping };
  }

  /** Nothing is filled while a recording is replayed: its time is not that of the sources. */
  async #fillHistory(
    feeds: ConfiguredFeeds,
    deps: Pick<SiteParts, 'universe' | 'settings' | 'log'> & {
      readonly clock: Clock;
      readonly differences: DifferenceReport;
    },
  ): Promise<AsyncDisposable> {
    const { universe, settings, log, clock, differences } = deps;
    const isOff = settings.historyFetch === 'off' || clock !== systemClock;
    await using cleanUp = new AsyncDisposableStack();
    const lacking = cleanUp.use(await openLackingDays(this.#place.notes, { clock, log }));
    const sources = isOff ? [] : historySources(feeds, { universe, clock, log });
    const filling = fillHistory({
      sources,
      order: new SourceOrder(sources.map(({ name }) => name)),
      history: this.#store.history,
      actions: this.#store.actions,
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
        store: this.#store.indices,
        calendar: settlementCalendar(universe),
        clock,
        random: Math.random,
        pause: pauseInRealTime,
        log,
      }),
    );
    cleanUp.use(recordTerms({ store: this.#store, universe, clock, pause: pauseInRealTime, log }));
    return cleanUp.move();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#gate.opened();
    const { pipeline, feeds, filling, dropping } = this.#current;
    dropping[Symbol.dispose]();
    await filling[Symbol.asyncDispose]();
    await feeds[Symbol.asyncDispose]();
    await pipeline[Symbol.asyncDispose]();
    await this.#below?.[Symbol.asyncDispose]();
  }
}

/** The quotes of a board, in order of version. */
function quotesOn(board: Board): readonly Quote[] {
  const quotes = board.universe.instruments.flatMap((one) => board.quote(one) ?? []);
  return quotes.sort((a, b) => a.version - b.version);
}
