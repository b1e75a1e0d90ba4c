import { behindTiming, isBehind, mustAsk } from '../../cluster/behind.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { NodeRegistry } from '../../store/contract/nodes.ts';
import { ask, fieldOf } from '../../lib/network/ask.ts';

/** How often the addresses of the other nodes are read from the database, in milliseconds. */
const readEveryMs = 5_000;

/**
 * How long a node that is no longer listed is remembered, in milliseconds. A node that restarts is not listed for a
 * moment, in which this one may be cut off.
 */
const rememberMs = 3_600_000;

/** Maximum number of nodes that are asked in one round. Each round asks the next ones. */
const askedMax = 8;

/** Maximum time for a response, in milliseconds. */
const answerMsMax = 1_000;

/** An address, and when it was last listed, in epoch milliseconds. */
type Peers = ReadonlyMap<string, number>;

/** What a {@link PeerWatch} depends on. */
export interface PeerWatchParts {
  /** The id of this node. */
  readonly instance: string;
  readonly nodes: Pick<NodeRegistry, 'live'>;
  /** Time since this node last read the database, in milliseconds. */
  readonly ageMs: () => number;
  readonly clock: Clock;
  readonly log: Log;
  /** Pause between two rounds, in milliseconds. */
  readonly pauseMs?: number;
}

/**
 * Finds out whether this node is behind the others (docs/scaling.md). It remembers the addresses of the nodes that serve,
 * because a node that is cut off cannot read them. When it has not read the database for a while, it asks them
 * whether they have, every second, until it has read the database itself. The question is the public `/healthz`,
 * which needs no key. A certificate is not verified: no secret is sent, and a false response can only make the
 * balancer prefer other nodes while this one cannot read the database anyway.
 */
export class PeerWatch implements AsyncDisposable {
  readonly #parts: PeerWatchParts;
  #peers: Peers = new Map();
  #readAt = -Infinity;
  #round = 0;
  #isBehind = false;
  readonly #running: AsyncDisposable;

  constructor(parts: PeerWatchParts) {
    this.#parts = parts;
    const onFault = (fault: unknown): void =>
      parts.log.warn({ err: fault }, 'could not read the addresses of the other nodes');
    const { pauseMs = behindTiming.askEveryMs } = parts;
    this.#running = repeat(() => this.#look(), { pauseMs, onFault });
  }

  /** Whether another node reads the database, and this one does not. */
  get isBehind(): boolean {
    // The verdict of the last round ends as soon as the database is read again.
    return this.#isBehind && mustAsk(this.#parts.ageMs());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
  }

  async #look(): Promise<void> {
    const { ageMs } = this.#parts;
    if (!mustAsk(ageMs())) {
      this.#conclude(undefined);
      return this.#readPeers();
    }
    const answers = await Promise.all(this.#nextAsked().map((url) => this.#ageAt(url)));
    const ahead = answers.find(({ age }) => isBehind(ageMs(), [age]));
    return this.#conclude(ahead?.url);
  }

  #nextAsked(): readonly string[] {
    const urls = [...this.#peers.keys()];
    const first = (this.#round * askedMax) % Math.max(1, urls.length);
    this.#round += 1;
    return [...urls.slice(first), ...urls.slice(0, first)].slice(0, askedMax);
  }

  /** Logs each change once. */
  #conclude(ahead: string | undefined): void {
    const wasBehind = this.#isBehind;
    this.#isBehind = ahead !== undefined;
    if (wasBehind === this.#isBehind) return;
    const { log } = this.#parts;
    const ageMs = Math.round(this.#parts.ageMs());
    if (this.#isBehind) {
      log.error(
        { ageMs, ahead },
        'this node is behind: another node reads the database, and this one cannot. Its /healthz is 503',
      );
    } else log.info({ ageMs }, 'this node is no longer behind the others');
  }

  async #readPeers(): Promise<void> {
    const { instance, nodes, clock } = this.#parts;
    if (clock.monotonic() < this.#readAt + readEveryMs) return;
    this.#readAt = clock.monotonic();
    const now = clock.now();
    const peers = new Map([...this.#peers].filter(([, seenAt]) => now - seenAt < rememberMs));
    for (const node of await nodes.live()) {
      const { advertisedUrl: url } = node;
      // The registration of this node before its restart has the same address.
      if (node.instance === instance) peers.delete(url);
      else if (node.role !== 'write' && url !== '') peers.set(url, now);
    }
    this.#peers = peers;
  }

  /** The age of the data of another node. Infinity if it does not respond, or is this node. */
  async #ageAt(url: string): Promise<{ readonly url: string; readonly age: number }> {
    try {
      const { body } = await ask(`${url}/healthz`, { withinMs: answerMsMax });
      const age = fieldOf(body, 'edadMs');
      const isOther = fieldOf(body, 'instancia') !== this.#parts.instance;
      return { url, age: isOther && typeof age === 'number' ? age : Infinity };
    } catch {
      return { url, age: Infinity };
    }
  }
}
