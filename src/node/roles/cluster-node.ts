import { Turns } from '../../lib/time/turns.ts';
import { differenceText } from '../../cluster/clock-difference.ts';
import type { PushedBody, PushResult } from '../../domain/quotes/push-report.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { pushedOf } from '../../feeds/push/read-pushed.ts';
import type { Readiness, ReadinessCheck } from '../../http/private/table.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { notStored, pushUpdates } from '../../pipeline/live/push-updates.ts';
import { ClaimHeldFault, type ClaimHolder, type StorePlace } from '../../store/contract/place.ts';
import type { Listeners, ServedSite } from '../listeners/open-listeners.ts';
import type { MeasuredSite } from '../metrics/metrics.ts';
import {
  reloadedParts,
  type RunningNode,
  type ReloadReport,
  type ServedParts,
} from './arrangement.ts';
import { openFollowedSite, type FollowedSite, type FollowedStore } from './followed-site.ts';
import { HolderWatch } from './holder-watch.ts';
import { PeerWatch } from './peer-watch.ts';
import type { WritingNode } from './writer.ts';

/** Age of the data from which on `/readyz` mentions it, in milliseconds. */
const oldMs = 5_000;

/** What a node is made of. */
interface NodeParts {
  /** The id of the node, as in its registration. */
  readonly instance: string;
  readonly parts: ServedParts;
  /** The store that the node follows. The caller disposes it after the node. */
  readonly store: FollowedStore;
  /** Absent on a node that only serves. The caller disposes it too. */
  readonly writer: WritingNode | undefined;
  readonly clock: Clock;
}

/**
 * A node of a cluster, as its listeners see it. The node shows what it reads from the store, whichever node
 * wrote it. So the shown data do not change when the claim passes to another node. While the store is
 * unavailable, the node continues to show the data in its memory. The node that writes shows its own quotes
 * as soon as they are durable, without reading them from the store.
 */
export class ClusterNode implements RunningNode {
  readonly isSimulated = false;
  readonly #store: FollowedStore;
  readonly #writer: WritingNode | undefined;
  #parts: ServedParts;
  #followed: FollowedSite;
  readonly #peers: PeerWatch;
  readonly #holders: HolderWatch;
  #listeners: Listeners | undefined;
  readonly #turns = new Turns();

  private constructor(
    { parts, store, writer, clock }: NodeParts,
    { followed, peers }: { readonly followed: FollowedSite; readonly peers: PeerWatch },
  ) {
    this.#parts = parts;
    this.#store = store;
    this.#writer = writer;
    this.#followed = followed;
    this.#peers = peers;
    this.#holders = new HolderWatch(parts.place, clock);
  }

  /** The first full read of the quotes is done when the promise resolves. */
  static async open(
    own: NodeParts,
    listenersOf: (first: ServedSite) => Promise<Listeners>,
  ): Promise<ClusterNode> {
    await using cleanUp = new AsyncDisposableStack();
    let node: ClusterNode | undefined;
    const { instance, parts, clock } = own;
    const peers = cleanUp.use(
      new PeerWatch({
        instance,
        nodes: parts.place.nodes,
        ageMs: () => (node === undefined ? 0 : node.#followed.ageMs),
        clock,
        log: parts.log,
      }),
    );
    const followed = cleanUp.use(await follow(own, peers));
    node = new ClusterNode(own, { followed, peers });
    cleanUp.use(node.#holders);
    node.#listeners = await listenersOf({ site: followed, settings: parts.settings });
    cleanUp.move();
    return node;
  }

  get url(): string {
    const origin = this.#listeners?.origin ?? '';
    return origin === '' ? '' : `${origin}${this.#parts.settings.basePath}`;
  }

  get measured(): MeasuredSite {
    const site = this.#writer?.site;
    return {
      isSimulated: false,
      board: this.#followed.pipeline.board,
      persist: site?.pipeline.persist ?? { backlog: 0 },
      feeds: () => site?.feeds.states() ?? [],
      dataAgeMs: this.#followed.ageMs,
      isBehind: this.#peers.isBehind,
      claimToken: this.#writer?.token ?? 0,
      acceptsUpdates: site !== undefined,
      isTakeOverBlocked: this.#writer?.takeOverFault !== undefined,
      clockDifferenceMs: this.#parts.place.clock?.differenceMs,
    };
  }

  get checks(): Readiness {
    const { place } = this.#parts;
    return {
      data: this.#dataCheck(),
      updates: this.#updatesCheck(),
      writer: this.#writerCheck(),
      claim: this.#claimCheck(),
      ...checkLine(place),
      ...checkClock(place),
    };
  }

  #dataCheck(): ReadinessCheck {
    const { ageMs } = this.#followed;
    const age = `confirmed ${Math.round(ageMs / 1_000)} s ago`;
    if (this.#peers.isBehind) {
      return { ok: false, reason: `${age}: this node cannot read the store, and another node can` };
    }
    const reason = ageMs < oldMs ? age : `${age}: the store does not respond, serving from memory`;
    return { ok: true, reason };
  }

  /** Whether this node would store an update that is pushed to it. */
  #updatesCheck(): ReadinessCheck {
    if (this.#writer === undefined) {
      return { ok: false, blocks: false, reason: 'this node only serves' };
    }
    if (this.#writer.site !== undefined) return { ok: true, reason: 'this node writes' };
    return { ok: false, blocks: false, reason: 'this node does not write' };
  }

  /** Whether any node writes. */
  #writerCheck(): ReadinessCheck {
    if (this.#writer?.site !== undefined) return { ok: true, reason: 'this node writes' };
    if (!this.#holders.isKnown) {
      const reason = 'it is not known whether a node writes: the store does not respond';
      return { ok: false, blocks: false, reason };
    }
    const { holder } = this.#holders;
    if (holder === undefined) return { ok: false, blocks: false, reason: 'no node writes' };
    return { ok: true, reason: `${holderText(holder)} writes` };
  }

  /** A node that could not take over still serves. */
  #claimCheck(): ReadinessCheck {
    const fault = this.#writer?.takeOverFault;
    const text = this.#claimText();
    if (fault === undefined) return { ok: true, reason: text };
    return { ok: false, blocks: false, reason: `${text}. This node could not take over: ${fault}` };
  }

  #claimText(): string {
    if (this.#writer === undefined) return 'this node only serves';
    const { token } = this.#writer;
    if (token !== undefined) return `this node writes, token ${token}`;
    const { holder } = this.#holders;
    if (holder === undefined) return 'standing by, no writer is known';
    return `standing by, the writer is ${holderText(holder)}`;
  }

  /** Shows quotes of this node's own market. */
  publish(quotes: readonly Quote[]): void {
    const { universe } = this.#followed.pipeline.board;
    // During a reload the market may have instruments that are not shown yet, and the other way round.
    this.#followed.publish(
      quotes.filter(({ instrument }) => universe.find(instrument.ticker) === instrument),
    );
  }

  async push(body: PushedBody): Promise<PushResult> {
    const site = await this.#writer?.siteSoon();
    if (site !== undefined) {
      return pushUpdates(pushedOf(body), site.feeds.intake(site.feeds.pushName));
    }
    const holder =
      this.#writer?.holder ?? (await this.#parts.place.holder().catch(() => undefined));
    return notStored(new ClaimHeldFault('this node does not write', holder ?? {}));
  }

  reload(configured: ServedParts): Promise<ReloadReport> {
    return this.#turns.run(async () => {
      const { parts, report } = reloadedParts(this.#parts, configured);
      const before = this.#followed;
      await using cleanUp = new AsyncDisposableStack();
      const own = { parts, store: this.#store, writer: this.#writer };
      const followed = cleanUp.use(await follow(own, this.#peers));
      await this.#writer?.renew(parts);
      cleanUp.move();
      this.#parts = parts;
      // From here on, this node's own quotes go to the new site.
      this.#followed = followed;
      await followed.continueAfter(before);
      await this.#listeners?.show({ site: followed, settings: parts.settings });
      await before[Symbol.asyncDispose]();
      return report;
    });
  }

  /** Another node writes as soon as this one has released the claim, while this one drains. */
  async closeListeners(): Promise<void> {
    // A reload that waits for the database ends with the writer.
    const handedOver = this.#writer?.[Symbol.asyncDispose]();
    await this.#turns.ended();
    await Promise.all([handedOver, this.#listeners?.[Symbol.asyncDispose]()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeListeners();
    await this.#peers[Symbol.asyncDispose]();
    await this.#holders[Symbol.asyncDispose]();
    await this.#followed[Symbol.asyncDispose]();
  }
}

/** The line of the database. The node serves from memory while it refuses the server. */
function checkLine({ line }: Pick<StorePlace, 'line'>): Readiness {
  const { text, refusal } = line ?? {};
  if (refusal !== undefined) return { line: { ok: false, blocks: false, reason: refusal } };
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

function holderText({ id = 'unknown', name = 'unknown' }: ClaimHolder): string {
  return `${id} on ${name}`;
}

function follow(
  { store, parts, writer }: Pick<NodeParts, 'store' | 'parts' | 'writer'>,
  peers: PeerWatch,
): Promise<FollowedSite> {
  const { place, log, settings, universe } = parts;
  return openFollowedSite({
    place,
    store,
    universe,
    log,
    intradaySessions: settings.intradaySessions,
    isBehind: () => peers.isBehind,
    sources: () => writer?.site?.sources(),
  });
}
