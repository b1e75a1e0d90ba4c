import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../src/lib/time/clock.ts';
import { pushedTickers } from '../faults/flat-universe.ts';
import type { ClusterNode } from './cluster-node.ts';

const pushLimitMs = 500;
/** A node that did not respond is left out for this time, while another one does. */
const silentMs = 1_000;
const pushPauseMs = 10;
const readLimitMs = 1_500;
const readPauseMs = 40;
const tickersPerBatch = 8;

interface ReadQuote {
  readonly especie: string;
  readonly ultimo: number;
}

/** What must not happen, in words. */
export type Finding = string;

/** A client that pushes prices that only rise, and remembers each acknowledged one. */
export class Pusher {
  /** The last acknowledged price of each ticker. */
  readonly acknowledged = new Map<string, number>();
  readonly findings: Finding[] = [];
  acknowledgements = 0;
  refusals = 0;
  /** Whether the clock of the writer was set back, so that it may refuse updates as of the future for a moment. */
  isWriterLate = false;
  /** The node that acknowledged last. */
  acknowledgedBy: ClusterNode | undefined;
  /** When the last update was acknowledged, by the clock of the client. */
  lastAt = 0;
  /** The longest time between two acknowledgements since {@link measureGaps}. */
  longestGapMs = 0;
  readonly #nodes: readonly ClusterNode[];
  readonly #key: string;
  /** Until when a node is left out. */
  readonly #silentUntil = new Map<ClusterNode, number>();
  #current = 0;
  #batches = 0;

  constructor(nodes: readonly ClusterNode[], key: string) {
    this.#nodes = nodes.filter(({ role }) => role !== 'serve');
    this.#key = key;
  }

  /** Pushes until the signal aborts. A batch that no node accepts is followed by the next one. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const node = this.holder;
      const isLeftOut = (this.#silentUntil.get(node) ?? 0) > systemClock.monotonic();
      const isStored = !isLeftOut && node.privateUrl !== undefined && (await this.#push(node));
      if (!isStored) this.#current = (this.#current + 1) % this.#nodes.length;
      await sleep(pushPauseMs);
    }
  }

  /** Begins to measure the time between acknowledgements. */
  measureGaps(): void {
    this.longestGapMs = 0;
  }

  /** The node that is tried now: the one that acknowledged last, unless it has failed since. */
  get holder(): ClusterNode {
    return this.#nodes[this.#current] as ClusterNode;
  }

  async #push(node: ClusterNode): Promise<boolean> {
    const batch = this.#batches;
    this.#batches += 1;
    const at = new Date(systemClock.now()).toISOString();
    const last = (100_000 + batch) / 100;
    const updates = Array.from({ length: tickersPerBatch }, (_, index) => ({
      ticker: pushedTickers[(batch * 3 + index) % pushedTickers.length] ?? '',
      at,
      last,
    }));
    try {
      const response = await fetch(`${node.privateUrl}/updates`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#key}` },
        body: JSON.stringify(updates),
        signal: AbortSignal.timeout(pushLimitMs),
      });
      const text = await response.text();
      if (response.status === 503) {
        this.refusals += 1;
        if (response.headers.get('retry-after') === null) {
          this.findings.push(`503 to a push without Retry-After: ${text}`);
        }
        return false;
      }
      if (response.status !== 200) {
        this.findings.push(`${response.status} to a push: ${text}`);
        return false;
      }
      const { accepted } = JSON.parse(text) as { readonly accepted: number };
      if (accepted === 0 && this.isWriterLate && text.includes('"in-future"')) return false;
      if (accepted !== updates.length) {
        this.findings.push(`accepted ${accepted} of ${updates.length}: ${text}`);
      } else {
        for (const { ticker } of updates) this.acknowledged.set(ticker, last);
      }
      this.acknowledgements += 1;
      this.acknowledgedBy = node;
      const now = systemClock.monotonic();
      this.longestGapMs = Math.max(this.longestGapMs, now - this.lastAt);
      this.lastAt = now;
      return true;
    } catch {
      // No response: whether the batch was stored is unknown, and nothing was acknowledged.
      this.#silentUntil.set(node, systemClock.monotonic() + silentMs);
      return false;
    }
  }
}

/** A client that reads one node throughout. */
export class Reader {
  readonly findings: Finding[] = [];
  reads = 0;
  /** The last price that it has read of each ticker. */
  readonly shown = new Map<string, number>();
  readonly #node: ClusterNode;
  readonly #key: string;
  #last: Promise<boolean> = Promise.resolve(false);

  constructor(node: ClusterNode, key: string) {
    this.#node = node;
    this.#key = key;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.read();
      await sleep(readPauseMs);
    }
  }

  /**
   * Reads once, after the read under way. Returns whether the node responded. The responses to two requests
   * at the same time could be read in the other order.
   */
  read(): Promise<boolean> {
    this.#last = this.#last.then(() => this.#read());
    return this.#last;
  }

  async #read(): Promise<boolean> {
    const { url, name } = this.#node;
    if (url === undefined) return false;
    let response: Response;
    let body: string;
    try {
      response = await fetch(`${url}/cotizaciones?panel=LID`, {
        headers: { authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(readLimitMs),
      });
      body = await response.text();
    } catch {
      // The program was killed or is frozen.
      return false;
    }
    if (response.status !== 200) {
      if (!this.#node.mayRefuse)
        this.findings.push(`${name} responded ${response.status}: ${body}`);
      return true;
    }
    this.reads += 1;
    for (const { especie, ultimo } of JSON.parse(body) as readonly ReadQuote[]) {
      const before = this.shown.get(especie) ?? 0;
      if (ultimo < before)
        this.findings.push(`${name} showed ${especie} ${ultimo} after ${before}`);
      this.shown.set(especie, ultimo);
    }
    return true;
  }
}
