import { SerialQueue } from '../../lib/time/serial-queue.ts';
import { differenceText } from '../../cluster/clock-difference.ts';
import { flagName, reloadSettings, type SettingName } from '../../config/settings/settings.ts';
import type { PushedBody, PushResult } from '../../domain/quotes/push-report.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { pushedOf } from '../../feeds/push/read-pushed.ts';
import type { Readiness, ReadinessCheck } from '../../http/private/routes.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { repeat } from '../../lib/time/repeat.ts';
import { notStored, pushUpdates } from '../../pipeline/live/push-updates.ts';
import type { StorePlace, WriterClaim, WriterNode } from '../../store/contract/place.ts';
import { StoreFault, type ClaimHolder } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import { compareUniverses, type UniverseChanges } from '../../universe/compare-universes.ts';
import type { Listeners, ServedMarket } from '../listeners/open-listeners.ts';
import type { MeasuredMarket } from '../metrics/metrics.ts';
import { demonstrated } from '../market/demonstration.ts';
import { hasStoredData } from '../market/has-stored-data.ts';
import { openMarket, type MarketSource, type NodeMarket } from '../market/market.ts';
import type { MarketParts } from '../market/producer.ts';
import { HolderWatch } from './holder-watch.ts';
import { keysOf, openWhenReady } from './open-when-ready.ts';
import { PeerWatch } from './peer-watch.ts';
import { NodeWriter } from './writer.ts';

/** Age of the data from which on `/readyz` mentions it, in milliseconds. */
const oldMs = 5_000;

/** How often a demonstration checks whether real data exists, in milliseconds. */
const realDataPollMs = 500;

/** The changes of a reload. */
export interface ReloadReport {
  readonly universe: UniverseChanges;
  readonly settings: readonly SettingName[];
  /** Changed settings whose new value applies after a restart. */
  readonly needRestart: readonly SettingName[];
}

/** What the listeners show, and what it is made of. */
interface Shown {
  readonly market: NodeMarket;
  readonly source: MarketSource;
  /** Those of the market: a demonstration has a universe and feeds of its own. */
  readonly parts: MarketParts;
}

/**
 * A running service: it claims the writing, or follows what another node writes.
 *
 * Over a data directory it holds the claim alone, and shows its own quotes, or those of a demonstration until real
 * data exists. Over a database it shows what it reads from the store, whichever node wrote it, so the shown data do
 * not change when the claim passes to another node. While the store is unavailable, it continues to show the data in
 * its memory. The node that writes shows its own quotes as soon as they are durable, without reading them.
 *
 * The listeners outlive markets. A market replaces another one at one instant, so each response comes from one of
 * them. Reloads and the end of a demonstration run one after the other.
 */
export class Node implements AsyncDisposable {
  /** The keys of the installation, and hints at their changes. */
  readonly store: Pick<Store, 'keys' | 'hints'>;
  readonly #source: MarketSource;
  readonly #writer: NodeWriter | undefined;
  /** The claim of a data directory, which nobody contests. */
  readonly #claim: WriterClaim | undefined;
  readonly #peers: PeerWatch | undefined;
  readonly #holders: HolderWatch | undefined;
  /** Disposed last. */
  readonly #below: AsyncDisposableStack;
  #parts: MarketParts;
  #shown: Shown | undefined;
  #listeners: Listeners | undefined;
  /** The place and the store of the demonstration. */
  #demonstration: AsyncDisposableStack | undefined;
  #isClosing = false;
  readonly #queue = new SerialQueue();

  private constructor(own: {
    readonly node: WriterNode;
    readonly parts: MarketParts;
    readonly store: Store;
    readonly writer: NodeWriter | undefined;
    readonly claim: WriterClaim | undefined;
    readonly below: AsyncDisposableStack;
  }) {
    const { parts, store } = own;
    const { place, log } = parts;
    this.#parts = parts;
    this.#source = { place, store };
    this.#writer = own.writer;
    this.#claim = own.claim;
    this.#below = own.below;
    const { hints } = store;
    this.store = { keys: place.kind === 'sqlite' ? store.keys : keysOf(place, store), hints };
    if (place.kind === 'sqlite') return;
    this.#peers = new PeerWatch({
      instance: own.node.id,
      nodes: place.nodes,
      ageMs: () => this.#shown?.market.ageMs ?? 0,
      clock: systemClock,
      log,
    });
    this.#holders = new HolderWatch(place, systemClock);
  }

  /**
   * Opens the store. A candidate for writing tries to get the claim from the start on, because only the holder
   * creates the store. A node that cannot read the store yet waits.
   *
   * @param stopping ends a wait for the database.
   * @throws UsageFault when the place does not support the role; StoreFault when the place is claimed, or the store
   *   is of another version or damaged.
   */
  static async open({
    node: identity,
    parts,
    stopping,
  }: {
    readonly node: WriterNode;
    readonly parts: MarketParts;
    readonly stopping?: AbortSignal | undefined;
  }): Promise<Node> {
    const { place, log, settings } = parts;
    const { role } = settings;
    await using opening = new AsyncDisposableStack();
    let node: Node | undefined;
    const writer =
      role === 'serve'
        ? undefined
        : new NodeWriter({
            node: identity,
            parts,
            publish: (quotes, isSimulated) => node?.publish(quotes, isSimulated),
            beforeReading: async () => node?.catchUpTables(),
            catchUp: async () => node?.catchUp(),
          });
    let claim: WriterClaim | undefined;
    let store: Store;
    if (place.kind === 'sqlite') {
      if (role !== 'all') {
        throw new UsageFault(
          `${flagName('role')} ${role} requires a PostgreSQL database as ${flagName('store')}. One process alone writes and serves a data directory.`,
        );
      }
      claim = opening.use(await place.claim(identity));
      store = opening.use(await place.open({ mode: 'create', claim }));
    } else {
      opening.use(writer);
      writer?.compete();
      store = opening.use(await openWhenReady(place, { log, signal: stopping }));
    }
    const below = opening.move();
    node = new Node({ node: identity, parts, store, writer, claim, below });
    return node;
  }

  /** Opens what is served, with listeners for it. */
  async serve(listenersOf: (first: ServedMarket) => Promise<Listeners>): Promise<void> {
    const claim = this.#claim;
    const isSimulated =
      claim !== undefined &&
      this.#parts.settings.demonstration !== 'off' &&
      !(await this.#isAnythingReal());
    const source = isSimulated ? await this.#openDemonstration(claim) : this.#source;
    const shown = await this.#openShown(this.#parts, source);
    this.#shown = shown;
    if (claim !== undefined) {
      await this.#writer?.renew(shown.parts);
      await this.#writer?.begin(claim, source, { isSimulated });
    }
    const { settings } = this.#parts;
    this.#listeners = await listenersOf({ market: shown.market, settings });
    if (!isSimulated) return;
    const onFault = (fault: unknown): void =>
      this.#parts.log.error({ err: fault }, 'could not replace the demonstration, retrying');
    const replace = (): Promise<void> => this.replaceDemonstration();
    this.#below.use(repeat(replace, { pauseMs: realDataPollMs, onFault }));
  }

  /** Its store is its own, so that real and simulated data never mix. */
  async #openDemonstration(claim: WriterClaim): Promise<MarketSource> {
    this.#demonstration = new AsyncDisposableStack();
    const place = this.#demonstration.use(this.#parts.place.demonstration());
    const store = this.#demonstration.use(await place.open({ mode: 'create', claim }));
    return { place, store };
  }

  async #openShown(configured: MarketParts, source: MarketSource): Promise<Shown> {
    const isSimulated = source !== this.#source;
    const parts = isSimulated ? demonstrated(configured) : configured;
    const market = await openMarket({
      ...source,
      universe: parts.universe,
      log: parts.log,
      intradaySessions: parts.settings.intradaySessions,
      demonstrationSince: isSimulated ? () => this.#writer?.producer?.recordsFrom ?? 0 : undefined,
      followsStore: this.#claim === undefined,
      isBehind: () => this.#peers?.isBehind === true,
      sources: () => this.#writer?.producer?.sources(),
    });
    return { market, source, parts };
  }

  get #current(): Shown {
    if (this.#shown === undefined) throw new Error('the node does not serve yet');
    return this.#shown;
  }

  /** The market that the listeners show. */
  get market(): NodeMarket {
    return this.#current.market;
  }

  /** URL of the public listener, base path included. Empty without one. */
  get url(): string {
    const origin = this.#listeners?.origin ?? '';
    return origin === '' ? '' : `${origin}${this.#parts.settings.basePath}`;
  }

  get isSimulated(): boolean {
    return this.market.isSimulated;
  }

  /** What the metrics and the readiness measure. */
  get measured(): MeasuredMarket {
    const { market } = this.#current;
    const producer = this.#writer?.producer;
    const { place } = this.#parts;
    return {
      isSimulated: market.isSimulated,
      board: market.board,
      persist: producer?.pipeline.persist ?? { backlog: 0 },
      feeds: () => producer?.feeds.states() ?? [],
      acceptsUpdates: producer !== undefined && !market.isSimulated,
      ...(place.kind === 'postgres' && {
        dataAgeMs: market.ageMs,
        isBehind: this.#peers?.isBehind === true,
        claimToken: this.#writer?.token ?? 0,
        isTakeOverBlocked: this.#writer?.takeOverFault !== undefined,
        clockDifferenceMs: place.clock?.differenceMs,
      }),
    };
  }

  /** Further checks for `/readyz`. */
  get checks(): Readiness {
    const { place } = this.#parts;
    const always = { updates: this.#updatesCheck(), writer: this.#writerCheck() };
    if (place.kind === 'sqlite') return always;
    return {
      data: this.#dataCheck(),
      ...always,
      claim: this.#claimCheck(),
      ...checkLine(place),
      ...checkClock(place),
    };
  }

  #dataCheck(): ReadinessCheck {
    const { ageMs } = this.market;
    const age = `confirmed ${Math.round(ageMs / 1_000)} s ago`;
    if (this.#peers?.isBehind === true) {
      return { ok: false, reason: `${age}: this node cannot read the store, and another node can` };
    }
    const reason = ageMs < oldMs ? age : `${age}: the store does not respond, serving from memory`;
    return { ok: true, reason };
  }

  /** Whether this node would store an update that is pushed to it. */
  #updatesCheck(): ReadinessCheck {
    if (this.isSimulated) return refused('the demonstration accepts no updates');
    if (this.#writer === undefined) return refused('this node only serves');
    if (this.#writer.producer !== undefined) return { ok: true, reason: 'this node writes' };
    return refused('this node does not write');
  }

  /** Whether any node writes. */
  #writerCheck(): ReadinessCheck {
    if (this.#holders === undefined || this.#writer?.producer !== undefined) {
      return this.#updatesCheck();
    }
    const { isKnown, holder } = this.#holders;
    if (!isKnown) {
      return refused('it is not known whether a node writes: the store does not respond');
    }
    if (holder === undefined) return refused('no node writes');
    return { ok: true, reason: `${holderText(holder)} writes` };
  }

  /** A node that could not take over still serves. */
  #claimCheck(): ReadinessCheck {
    const fault = this.#writer?.takeOverFault;
    const text = this.#claimText();
    if (fault === undefined) return { ok: true, reason: text };
    return refused(`${text}. This node could not take over: ${fault}`);
  }

  #claimText(): string {
    if (this.#writer === undefined) return 'this node only serves';
    const { token } = this.#writer;
    if (token !== undefined) return `this node writes, token ${token}`;
    const holder = this.#holders?.holder;
    if (holder === undefined) return 'standing by, no writer is known';
    return `standing by, the writer is ${holderText(holder)}`;
  }

  /**
   * Shows quotes of this node's own producer. While a demonstration is replaced, its producer and that of the real
   * market both run, and only the quotes of the shown market are published. A market reads what it has missed from
   * its store.
   */
  publish(quotes: readonly Quote[], isSimulated: boolean): void {
    const market = this.#shown?.market;
    if (market === undefined || market.isSimulated !== isSimulated) return;
    // During a reload the producer may have instruments that are not shown yet, and the other way round.
    const { universe } = market.board;
    market.publish(
      quotes.filter(({ instrument }) => universe.find(instrument.ticker) === instrument),
    );
  }

  /** Over a data directory, the readers have a change of the history before the quotes that follow from it. */
  async catchUpTables(): Promise<void> {
    if (this.#claim !== undefined) await this.#shown?.market.catchUpTables();
  }

  /** Applies the updates of a body, if this node writes. */
  async push(body: PushedBody): Promise<PushResult> {
    if (this.isSimulated) {
      // An ingest key ends the demonstration within a second, so the client is asked to retry.
      return notStored(new StoreFault('busy', 'the demonstration stores no real data'));
    }
    const producer = await this.#writer?.producerSoon();
    if (producer !== undefined) {
      return pushUpdates(pushedOf(body), producer.feeds.intake(producer.feeds.pushName));
    }
    const holder =
      this.#writer?.holder ?? (await this.#parts.place.holder().catch(() => undefined));
    return notStored(new StoreFault('busy', 'this node does not write', { holder: holder ?? {} }));
  }

  /**
   * Applies the changes of an operator.
   *
   * @throws StoreFault when the new market cannot be opened. Then nothing changes.
   */
  reload(configured: MarketParts): Promise<ReloadReport> {
    return this.#queue.run(async () => {
      const current = this.#parts;
      const { settings, changed, needRestart } = reloadSettings(
        current.settings,
        configured.settings,
      );
      const universe = compareUniverses(current.universe, configured.universe);
      await this.#renew({ ...current, ...configured, settings });
      return { universe, settings: changed, needRestart };
    });
  }

  /** Brings the demonstration up to now, after the machine was suspended. It never rejects. */
  catchUp(): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.isSimulated || this.#isClosing) return;
      try {
        await this.#renew(this.#parts);
      } catch (fault) {
        this.#parts.log.error({ err: fault }, 'could not bring the demonstration up to now');
      }
    });
  }

  async #renew(parts: MarketParts): Promise<void> {
    const shown = await this.#openShown(parts, this.#current.source);
    try {
      await this.#writer?.renew(shown.parts);
    } catch (fault) {
      await shown.market[Symbol.asyncDispose]();
      throw fault;
    }
    this.#parts = parts;
    await this.#show(shown);
  }

  /** Replaces the demonstration with the real market as soon as real data exists. */
  replaceDemonstration(): Promise<void> {
    return this.#queue.run(async () => {
      const claim = this.#claim;
      if (claim === undefined || !this.isSimulated || this.#isClosing) return;
      if (!(await this.#isAnythingReal())) return;
      this.#parts.log.info({}, 'replacing the demonstration with the real market');
      const shown = await this.#openShown(this.#parts, this.#source);
      await this.#writer?.replace(claim, { ...shown.source, parts: shown.parts }, () =>
        this.#show(shown),
      );
      await this.#demonstration?.disposeAsync();
    });
  }

  /** Whether real data exists or is expected: a feed, closes, quotes, or a key of a source that pushes. */
  async #isAnythingReal(): Promise<boolean> {
    return this.#parts.feeds.feeds.length > 0 || hasStoredData(this.#source.store);
  }

  /**
   * Shows another market. A stream must not go back, so the shown one stops following here, and the other one reads
   * every quote that it has shown. If that fails, the other one is closed, and the shown one remains.
   */
  async #show(shown: Shown): Promise<void> {
    const before = this.#current;
    // From here on, this node's own quotes go to the new market.
    this.#shown = shown;
    before.market.stopFollowing();
    await shown.market.catchUp();
    try {
      await this.#listeners?.show({ market: shown.market, settings: this.#parts.settings });
    } catch (fault) {
      this.#shown = before;
      await before.market.catchUp();
      await shown.market[Symbol.asyncDispose]();
      throw fault;
    }
    await before.market[Symbol.asyncDispose]();
  }

  /** Hands over to other nodes, and drains the public listener. The market stays until this is disposed. */
  async closeListeners(): Promise<void> {
    this.#isClosing = true;
    // Over a database, another node writes as soon as this one has released the claim, while this one drains. A
    // reload that waits for the database ends with the writer.
    const handedOver =
      this.#claim === undefined ? this.#writer?.[Symbol.asyncDispose]() : undefined;
    await this.#queue.ended();
    await Promise.all([handedOver, this.#listeners?.[Symbol.asyncDispose]()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeListeners();
    await this.#peers?.[Symbol.asyncDispose]();
    await this.#holders?.[Symbol.asyncDispose]();
    await this.#writer?.[Symbol.asyncDispose]();
    await this.#shown?.market[Symbol.asyncDispose]();
    await this.#demonstration?.disposeAsync();
    await this.#below.disposeAsync();
  }
}

/** The line of the database. The node serves from memory while it refuses the server. */
function checkLine({ line }: Pick<StorePlace, 'line'>): Readiness {
  const { text, refusal } = line ?? {};
  if (refusal !== undefined) return { line: refused(refusal) };
  return text === undefined
    ? {}
    : { line: { ok: true, reason: `the database is on line ${text}` } };
}

/** The clock of this machine. It does not matter to clients that read. */
function checkClock({ clock }: Pick<StorePlace, 'clock'>): Readiness {
  if (clock?.differenceMs === undefined) return {};
  const by = `the clock of this machine is ${differenceText(clock.differenceMs)} that of the database`;
  const reason = clock.isOff ? `${by}: this node does not write` : by;
  return { clock: { ok: !clock.isOff, blocks: false, reason } };
}

/** A check that fails, and keeps no client away. */
function refused(reason: string): ReadinessCheck {
  return { ok: false, blocks: false, reason };
}

function holderText({ id = 'unknown', name = 'unknown' }: ClaimHolder): string {
  return `${id} on ${name}`;
}
