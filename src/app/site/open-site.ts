import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Universe } from '../../domain/universe.ts';
import type { Update } from '../../domain/update.ts';
import type { Outcome } from '../../engine/engine.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import type { SimulatedConfig } from '../../feeds/simulated/simulated-config.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { HistoryChanges } from '../../store/history-changes.ts';
import type { HistoryReader } from '../../store/history-store.ts';
import type { DirectoryClaim } from '../../store/sqlite/claim-directory.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { fillDemonstration } from './fill-demonstration.ts';
import { clockFor, isAlwaysOpen, openFeeds } from './open-feeds.ts';
import type { OpenFeeds } from './open-feeds.ts';
import { openMarket } from './open-market.ts';
import type { Market, MarketObserver } from './open-market.ts';
import { FeedTallies } from '../../pipeline/feed-state.ts';
import type { ConfiguredFeeds } from './read-feeds.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * What is served: the real market of this installation, or a demonstration with made-up prices.
 *
 * Its market may be renewed while it is served: the old one makes durable what is under way and
 * stops, the new one begins where that left off. Readers keep the old board meanwhile, which stays
 * as it is; updates wait, and none is refused or lost.
 */
export interface Site extends AsyncDisposable {
  readonly isSimulated: boolean;
  /** The one in force. */
  readonly market: Market;
  /** Those that move it, and the way in for a source that pushes. */
  readonly feeds: OpenFeeds;
  readonly history: HistoryReader;
  /** What changes in that history, whichever market is in force. */
  readonly historyChanges: HistoryChanges;
  /** As `Ingest.submit`, whichever market is in force. */
  submit(updates: readonly Update[]): Promise<readonly Outcome[]>;
  /**
   * Opens the market anew, of another universe or with other settings. Not to be called again before
   * it has settled.
   *
   * @throws StoreFault when the new one cannot be opened; the old one is in force again then.
   */
  renew(parts: SiteParts): Promise<void>;
}

/** What both sorts of site are made of. */
export interface SiteParts {
  readonly universe: Universe;
  readonly settings: Settings;
  /** What the configuration names; a demonstration has one of its own instead. */
  readonly feeds: ConfiguredFeeds;
  readonly log: Log;
  readonly observer: MarketObserver;
  /** On the data directory, below which the demonstration has its store. */
  readonly claim: DirectoryClaim;
}

/** Where the history of a site is: a demonstration's is apart, so that the two never mix. */
export function siteDirectory(isSimulated: boolean, { data }: Pick<Settings, 'data'>): string {
  return isSimulated ? join(data, 'demo') : data;
}

/** How long to wait before a market that ran a moment ago is tried again. */
const reopenPauseMs = 1_000;

/**
 * The demonstration's feed: a board that moves at any hour, and the same prices for everybody, so
 * that what one person describes another can see.
 */
const demonstration: SimulatedConfig = {
  type: 'simulated',
  name: 'demonstration',
  staleAfterSeconds: 60,
  seed: 1810,
  updatesPerSecond: 50,
  alwaysOpen: true,
};

/** Opens the real market over the installation's own store, which stays the caller's. */
export async function openRealSite(parts: SiteParts, store: Store): Promise<Site> {
  return StoredSite.open({ isSimulated: false, store, parts });
}

/** Opens the demonstration over a store of its own. */
export async function openSimulatedSite(parts: SiteParts): Promise<Site> {
  await using cleanUp = new AsyncDisposableStack();
  const { universe, settings, claim } = parts;
  const directory = siteDirectory(true, settings);
  const store = cleanUp.use(await openSqliteStore({ directory, claim, writer: 'worker' }));
  await fillDemonstration(store, { universe, seed: demonstration.seed, clock: systemClock });
  const site = await StoredSite.open({ isSimulated: true, store, parts });
  site.closeAfterwards(cleanUp.move());
  return site;
}

/** What a site runs, to be renewed as a whole. */
interface Running {
  readonly market: Market;
  readonly feeds: OpenFeeds;
}

class StoredSite implements Site {
  readonly isSimulated: boolean;
  readonly historyChanges = new HistoryChanges();
  readonly #store: Store;
  /** Goes on through every renewal. */
  readonly #tallies = new FeedTallies();
  /** What is to go after the market. */
  #below: AsyncDisposable | undefined;
  #parts: SiteParts;
  #running: Running | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #renewing: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  private constructor(own: {
    readonly isSimulated: boolean;
    readonly store: Store;
    readonly parts: SiteParts;
  }) {
    this.isSimulated = own.isSimulated;
    this.#store = own.store;
    this.#parts = own.parts;
  }

  static async open(own: {
    readonly isSimulated: boolean;
    readonly store: Store;
    readonly parts: SiteParts;
  }): Promise<StoredSite> {
    const site = new StoredSite(own);
    await site.#whileUpdatesWait(async () => {
      site.#running = await site.#start(own.parts);
    });
    return site;
  }

  /** Leaves to the site what lies below it. */
  closeAfterwards(below: AsyncDisposable): void {
    this.#below = below;
  }

  get #inForce(): Running {
    if (this.#running === undefined) throw new Error('the site is not open yet');
    return this.#running;
  }

  get market(): Market {
    return this.#inForce.market;
  }

  get feeds(): OpenFeeds {
    return this.#inForce.feeds;
  }

  get history(): HistoryReader {
    return this.#store.history;
  }

  async submit(updates: readonly Update[]): Promise<readonly Outcome[]> {
    while (this.#renewing !== undefined) await this.#renewing;
    const taken = this.#inForce.market.ingest.submit(updates);
    this.#underWay.add(taken);
    try {
      return await taken;
    } finally {
      this.#underWay.delete(taken);
    }
  }

  async renew(parts: SiteParts): Promise<void> {
    await this.#whileUpdatesWait(async () => {
      try {
        await Promise.allSettled(this.#underWay);
        // Two writers over one store would each believe that they give the next version.
        await this.#inForce.market[Symbol.asyncDispose]();
        await this.#replace(parts);
        this.#parts = parts;
      } catch (fault) {
        await this.#openAgain();
        throw fault;
      }
    });
  }

  /** Holds back what feeds hand over, which may come as soon as they are started. */
  async #whileUpdatesWait(work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#renewing = promise;
    try {
      await work();
    } finally {
      this.#renewing = undefined;
      resolve();
    }
  }

  /** Brings back the market that was in force. Its quotes are shown meanwhile, so it must come. */
  async #openAgain(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#replace(this.#parts);
        return;
      } catch (fault) {
        this.#parts.log.error({ err: fault }, 'the market cannot be opened again; trying on');
        await sleep(reopenPauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Starts a market and its feeds in place of one that has stopped. */
  async #replace(parts: SiteParts): Promise<void> {
    const old = this.#inForce;
    this.#running = await this.#start(parts);
    // What they still hand over waits at `submit`, and goes to the new market.
    void old.feeds[Symbol.asyncDispose]();
  }

  async #start({
    universe,
    settings,
    log,
    observer,
    feeds: configured,
  }: SiteParts): Promise<Running> {
    const feeds: ConfiguredFeeds = this.isSimulated
      ? { feeds: [{ type: simulatedType, config: demonstration }], directory: '.' }
      : configured;
    const clock = clockFor(feeds);
    const settleDelayMs = settings.settleDelayMinutes * 60_000;
    const market = await openMarket({
      universe,
      store: this.#store,
      clock,
      log,
      settleDelayMs,
      isAlwaysOpen: isAlwaysOpen(feeds),
      observer,
      historyChanges: this.historyChanges,
    });
    const ingest = { submit: (updates: readonly Update[]) => this.submit(updates) };
    return {
      market,
      feeds: openFeeds(feeds, { ingest, universe, clock, log, tallies: this.#tallies }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#renewing;
    const { market, feeds } = this.#inForce;
    await feeds[Symbol.asyncDispose]();
    await market[Symbol.asyncDispose]();
    await this.#below?.[Symbol.asyncDispose]();
  }
}
