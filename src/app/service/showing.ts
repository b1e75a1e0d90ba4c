import type { Log } from '../../lib/log.ts';
import type { Store } from '../../store/store.ts';
import { compareUniverses } from '../../universe/compare-universes.ts';
import type { UniverseChanges } from '../../universe/compare-universes.ts';
import type { MeasuredSite } from '../metrics/metrics.ts';
import type { Listeners, Shown } from '../listeners/open-listeners.ts';
import { openRealSite, openSimulatedSite } from '../site/open-site.ts';
import type { Site, SiteParts } from '../site/open-site.ts';
import { reloadSettings } from '../settings/reload-settings.ts';
import type { SettingName } from '../settings/settings.ts';

/** What a reload has changed. */
export interface ReloadReport {
  readonly universe: UniverseChanges;
  readonly settings: readonly SettingName[];
  /** Settings that are told otherwise, and stay as they were until a restart. */
  readonly needRestart: readonly SettingName[];
}

/**
 * The site that is shown, over listeners that outlive it. Whatever takes its place does so at one
 * instant: a request is answered from the one or from the other.
 *
 * Changes take turns: a reload never meets a demonstration that is about to give way.
 */
export class Showing implements AsyncDisposable {
  readonly #store: Store;
  readonly #log: Log;
  #parts: SiteParts;
  #site: Site;
  #listeners: Listeners | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  private constructor(store: Store, parts: SiteParts, site: Site) {
    this.#store = store;
    this.#log = parts.log;
    this.#parts = parts;
    this.#site = site;
  }

  /** Opens the real site, or the demonstration while there is nothing real. */
  static async open(
    store: Store,
    parts: SiteParts,
    listenersOf: (shown: Shown) => Promise<Listeners>,
  ): Promise<Showing> {
    const isReal = parts.settings.demonstration === 'off' || (await isAnythingReal(parts, store));
    await using cleanUp = new AsyncDisposableStack();
    const site = cleanUp.use(
      await (isReal ? openRealSite(parts, store) : openSimulatedSite(parts)),
    );
    const showing = new Showing(store, parts, site);
    showing.#listeners = await listenersOf({ site, settings: parts.settings });
    cleanUp.move();
    return showing;
  }

  get site(): Site {
    return this.#site;
  }

  /** Where the public listener answers, base path included. */
  get url(): string {
    return `${this.#listeners?.origin ?? ''}${this.#parts.settings.basePath}`;
  }

  get isSimulated(): boolean {
    return this.#site.isSimulated;
  }

  /** What the metrics ask about. */
  get measured(): MeasuredSite {
    const { isSimulated, market, feeds } = this.#site;
    const { board, persist } = market;
    return { isSimulated, board, persist, feeds: () => feeds.states() };
  }

  /** Shows the real site in place of the demonstration, once there is anything real. */
  giveWay(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.isSimulated || this.#isClosing) return;
      if (!(await isAnythingReal(this.#parts, this.#store))) return;
      this.#log.info({}, 'something real has come; the demonstration gives way');
      const demonstration = this.#site;
      const real = await openRealSite(this.#parts, this.#store);
      // Whoever sees that it is shown may push to it.
      this.#site = real;
      try {
        await this.#showSite();
      } catch (fault) {
        this.#site = demonstration;
        await real[Symbol.asyncDispose]();
        throw fault;
      }
      await demonstration[Symbol.asyncDispose]();
    });
  }

  /**
   * Takes over what an operator has changed.
   *
   * @throws StoreFault when the market cannot be opened anew; then nothing has changed.
   */
  reload(told: SiteParts): Promise<ReloadReport> {
    return this.#inTurn(async () => {
      const held = this.#parts;
      const { settings, changed, needRestart } = reloadSettings(held.settings, told.settings);
      const parts = { ...told, settings };
      await this.#site.renew(parts);
      this.#parts = parts;
      await this.#showSite();
      const universe = compareUniverses(held.universe, told.universe);
      return { universe, settings: changed, needRestart };
    });
  }

  async #showSite(): Promise<void> {
    await this.#listeners?.show({ site: this.#site, settings: this.#parts.settings });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Drains the listeners. What is shown stays open until this is disposed. */
  async closeListeners(): Promise<void> {
    this.#isClosing = true;
    await this.#turn;
    await this.#listeners?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeListeners();
    await this.#site[Symbol.asyncDispose]();
  }
}

/**
 * Whether there is anything real to show: a feed, closes, quotes, or a key for a source that is about
 * to push.
 */
async function isAnythingReal({ feeds }: SiteParts, store: Store): Promise<boolean> {
  if (feeds.feeds.length > 0) return true;
  const { revision } = await store.history.changesSince(Number.MAX_SAFE_INTEGER);
  if (revision > 0) return true;
  const { keys } = await store.keys.readAll();
  return keys.some(({ scope }) => scope === 'ingest') || (await store.quotes.readAll()).length > 0;
}
