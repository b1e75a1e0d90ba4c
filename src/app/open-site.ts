import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Universe } from '../domain/universe.ts';
import type { Update } from '../domain/update.ts';
import type { Outcome } from '../engine/engine.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { HistoryReader } from '../store/history-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { openMarket } from './open-market.ts';
import type { Market } from './open-market.ts';
import type { Settings } from './settings.ts';

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
  readonly history: HistoryReader;
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
  readonly log: Log;
}

/** The demonstration's directory within the data directory, so that the two never mix. */
const demonstrationDirectory = 'demo';

/** How long to wait before a market that ran a moment ago is tried again. */
const reopenPauseMs = 1_000;

/** Opens the real market over the installation's own store, which stays the caller's. */
export async function openRealSite(parts: SiteParts, store: Store): Promise<Site> {
  return new StoredSite({
    isSimulated: false,
    store,
    parts,
    market: await openMarketOver(parts, store),
    stack: new AsyncDisposableStack(),
  });
}

/** Opens the demonstration over a store of its own. */
export async function openSimulatedSite(parts: SiteParts): Promise<Site> {
  await using cleanUp = new AsyncDisposableStack();
  const directory = join(parts.settings.data, demonstrationDirectory);
  const store = cleanUp.use(await openSqliteStore({ directory, writer: 'worker' }));
  const market = await openMarketOver(parts, store);
  return new StoredSite({ isSimulated: true, store, parts, market, stack: cleanUp.move() });
}

function openMarketOver({ universe, settings, log }: SiteParts, store: Store): Promise<Market> {
  const settleDelayMs = settings.settleDelayMinutes * 60_000;
  return openMarket({ universe, store, clock: systemClock, log, settleDelayMs });
}

class StoredSite implements Site {
  readonly isSimulated: boolean;
  readonly #store: Store;
  /** What is to go after the market. */
  readonly #below: AsyncDisposableStack;
  #parts: SiteParts;
  #market: Market;
  readonly #underWay = new Set<Promise<unknown>>();
  #renewing: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(own: {
    readonly isSimulated: boolean;
    readonly store: Store;
    readonly parts: SiteParts;
    readonly market: Market;
    readonly stack: AsyncDisposableStack;
  }) {
    this.isSimulated = own.isSimulated;
    this.#store = own.store;
    this.#parts = own.parts;
    this.#market = own.market;
    this.#below = own.stack;
  }

  get market(): Market {
    return this.#market;
  }

  get history(): HistoryReader {
    return this.#store.history;
  }

  async submit(updates: readonly Update[]): Promise<readonly Outcome[]> {
    while (this.#renewing !== undefined) await this.#renewing;
    const taken = this.#market.ingest.submit(updates);
    this.#underWay.add(taken);
    try {
      return await taken;
    } finally {
      this.#underWay.delete(taken);
    }
  }

  async renew(parts: SiteParts): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#renewing = promise;
    try {
      await Promise.allSettled(this.#underWay);
      // Two writers over one store would each believe that they give the next version.
      await this.#market[Symbol.asyncDispose]();
      this.#market = await openMarketOver(parts, this.#store);
      this.#parts = parts;
    } catch (fault) {
      await this.#openAgain();
      throw fault;
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
        this.#market = await openMarketOver(this.#parts, this.#store);
        return;
      } catch (fault) {
        this.#parts.log.error({ err: fault }, 'the market cannot be opened again; trying on');
        await sleep(reopenPauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#renewing;
    await this.#market[Symbol.asyncDispose]();
    await this.#below.disposeAsync();
  }
}
