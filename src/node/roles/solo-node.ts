import { Turns } from '../../lib/time/turns.ts';
import type { PushedBody, PushResult } from '../../domain/quotes/push-report.ts';
import { pushedOf } from '../../feeds/push/read-pushed.ts';
import type { Readiness } from '../../http/private/table.ts';
import type { Log } from '../../lib/reports/log.ts';
import { notStored, pushUpdates } from '../../pipeline/live/push-updates.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import type { MeasuredSite } from '../metrics/metrics.ts';
import type { Listeners, ServedSite } from '../listeners/open-listeners.ts';
import { hasStoredData } from '../site/has-stored-data.ts';
import { openRealSite, openSimulatedSite, type Site, type SiteParts } from '../site/open-site.ts';
import {
  reloadedParts,
  type Arrangement,
  type RunningNode,
  type ReloadReport,
  type ServedParts,
} from './arrangement.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { WriterNode } from '../../store/contract/place.ts';

/**
 * The site that the listeners show. The listeners outlive sites. A site replaces another at one
 * instant, so each response comes from one of them.
 *
 * Changes run one after the other: a reload never overlaps with the replacement of a demonstration.
 */
export class SoloNode implements RunningNode {
  readonly #store: Store;
  readonly #log: Log;
  #parts: SiteParts;
  #site: Site;
  #listeners: Listeners | undefined;
  readonly #turns = new Turns();
  #isClosing = false;

  private constructor(store: Store, parts: SiteParts, site: Site) {
    this.#store = store;
    this.#log = parts.log;
    this.#parts = parts;
    this.#site = site;
  }

  /** Opens the real site, or the demonstration if no real data exists. */
  static async open(
    store: Store,
    parts: SiteParts,
    listenersOf: (shown: ServedSite) => Promise<Listeners>,
  ): Promise<SoloNode> {
    const isReal = parts.settings.demonstration === 'off' || (await isAnythingReal(parts, store));
    await using cleanUp = new AsyncDisposableStack();
    let node: SoloNode | undefined;
    const catchUp = async (): Promise<void> => node?.catchUp();
    const site = cleanUp.use(
      await (isReal ? openRealSite(parts, store) : openSimulatedSite(parts, catchUp)),
    );
    node = new SoloNode(store, parts, site);
    node.#listeners = await listenersOf({ site, settings: parts.settings });
    cleanUp.move();
    return node;
  }

  get site(): Site {
    return this.#site;
  }

  /** URL of the public listener, base path included. */
  get url(): string {
    return `${this.#listeners?.origin ?? ''}${this.#parts.settings.basePath}`;
  }

  get isSimulated(): boolean {
    return this.#site.isSimulated;
  }

  /** What the metrics measure. */
  get measured(): MeasuredSite {
    const { isSimulated, pipeline, feeds } = this.#site;
    const { board, persist } = pipeline;
    const acceptsUpdates = !isSimulated;
    return { isSimulated, board, persist, feeds: () => feeds.states(), acceptsUpdates };
  }

  /** This process alone writes. */
  get checks(): Readiness {
    const reason = this.isSimulated ? 'the demonstration accepts no updates' : 'this node writes';
    const updates = { ok: !this.isSimulated, blocks: false, reason };
    return { updates, writer: updates };
  }

  async push(body: PushedBody): Promise<PushResult> {
    const { feeds } = this.#site;
    if (!this.isSimulated) return pushUpdates(pushedOf(body), feeds.intake(feeds.pushName));
    // An ingest key ends the demonstration within a second, so the client is asked to retry.
    return notStored(new StoreFault('busy', 'the demonstration stores no real data'));
  }

  /** Replaces the demonstration with the real site as soon as real data exists. */
  replaceDemonstration(): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.isSimulated || this.#isClosing) return;
      if (!(await isAnythingReal(this.#parts, this.#store))) return;
      this.#log.info({}, 'replacing the demonstration with the real market');
      const demonstration = this.#site;
      const real = await openRealSite(this.#parts, this.#store);
      // A client that sees the real site may push to it at once, so it is set before it is shown.
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

  /** Brings the demonstration up to now, after the machine was suspended. It never rejects. */
  catchUp(): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.isSimulated || this.#isClosing) return;
      try {
        await this.#renew(this.#parts);
      } catch (fault) {
        this.#log.error({ err: fault }, 'could not bring the demonstration up to now');
      }
    });
  }

  /**
   * Applies the changes of an operator.
   *
   * @throws StoreFault when the new market cannot be opened. Then nothing changes.
   */
  reload(configured: ServedParts): Promise<ReloadReport> {
    return this.#turns.run(async () => {
      const { parts, report } = reloadedParts(this.#parts, configured);
      await this.#renew(parts);
      return report;
    });
  }

  /** After a failure, the site has opened its old market again, which has another board. */
  async #renew(parts: SiteParts): Promise<void> {
    try {
      await this.#site.renew(parts);
      this.#parts = parts;
    } finally {
      await this.#showSite();
    }
  }

  async #showSite(): Promise<void> {
    await this.#listeners?.show({ site: this.#site, settings: this.#parts.settings });
  }

  /** Drains the listeners. The site stays open until this is disposed. */
  async closeListeners(): Promise<void> {
    this.#isClosing = true;
    await this.#turns.ended();
    await this.#listeners?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeListeners();
    await this.#site[Symbol.asyncDispose]();
  }
}

/** Whether real data exists or is expected: a feed, closes, quotes, or a key of a source that pushes. */
async function isAnythingReal({ feeds }: SiteParts, store: Store): Promise<boolean> {
  return feeds.feeds.length > 0 || hasStoredData(store);
}

/** How often a demonstration checks whether real data exists, in milliseconds. */
const realDataPollMs = 500;

/**
 * One process that writes and serves, over a store that no other machine reads.
 *
 * @throws StoreFault when the place is claimed, or the store cannot be opened.
 */
export async function arrangeSolo({
  node,
  parts,
}: {
  readonly node: WriterNode;
  readonly parts: ServedParts;
}): Promise<Arrangement> {
  const { place } = parts;
  await using cleanUp = new AsyncDisposableStack();
  const claim = cleanUp.use(await place.claim(node));
  const store = cleanUp.use(await place.open({ mode: 'create', claim }));
  const running = cleanUp.move();
  return {
    store,
    serve: async (listenersOf) => {
      const solo = await SoloNode.open(store, { ...parts, claim }, listenersOf);
      if (solo.isSimulated) {
        const onFault = (fault: unknown): void =>
          parts.log.error({ err: fault }, 'could not replace the demonstration, retrying');
        const replace = (): Promise<void> => solo.replaceDemonstration();
        running.use(repeat(replace, { pauseMs: realDataPollMs, onFault }));
      }
      return solo;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
