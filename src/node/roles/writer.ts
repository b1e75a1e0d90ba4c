import { Turns } from '../../lib/time/turns.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { versionFloor } from '../../domain/values/version-floor.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { ClaimHolder, WriterClaim, WriterNode } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { openRealSite, type Site, type SiteParts } from '../site/open-site.ts';
import type { ServedParts } from './arrangement.ts';

/** Pauses after a market that could not be opened, in milliseconds. Meanwhile, another node may succeed. */
const retry = { firstMs: 500, maxMs: 10_000 };

/** The log message for every reason, which `pizarra doctor` names. */
const cannotWrite = 'could not write, standing by';

/** The market of a node that holds the claim. */
interface Term extends Pick<SiteParts, 'claim' | 'onFenced' | 'onQuotes' | 'firstVersion'> {
  readonly site: Site;
}

/**
 * The writing part of a node. It tries to get the claim of the place until it is disposed. While it holds
 * the claim, it runs the market: the feeds, the engine, and what stores their result. The market is
 * opened after the claim was granted, so it continues from the last quotes of the holder before.
 *
 * When the claim is lost, nothing more is stored, from that instant on. Then the market is closed, and
 * the node stands by again. Disposing closes the market first and releases the claim next, so that
 * another node continues at once.
 */
export class WritingNode implements AsyncDisposable {
  readonly #node: WriterNode;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #publish: (quotes: readonly Quote[]) => void;
  #parts: ServedParts;
  #term: Term | undefined;
  #holder: ClaimHolder | undefined;
  #takeOverFault: string | undefined;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** Reloads and changes of the term run one after the other. */
  readonly #turns = new Turns();
  /** Pending until the first try has an outcome, and from the grant of a claim until its market is open. */
  #opening = new Opening();

  constructor({
    node,
    parts,
    publish,
    clock,
  }: {
    readonly node: WriterNode;
    readonly parts: ServedParts;
    /** Receives the quotes of the market when they are durable. */
    readonly publish: (quotes: readonly Quote[]) => void;
    readonly clock: Pick<Clock, 'now'>;
  }) {
    this.#node = node;
    this.#clock = clock;
    this.#parts = parts;
    this.#log = parts.log;
    this.#publish = publish;
    this.#running = this.#run();
  }

  /** The open market. Undefined while another node writes. */
  get site(): Site | undefined {
    return this.#term?.site;
  }

  /**
   * The open market, also when it is about to open: the claim is granted, or it is not known yet whether
   * another node has it. Undefined when another node writes, or when the market does not open in time.
   */
  async siteSoon(): Promise<Site | undefined> {
    await this.#opening.ended;
    return this.site;
  }

  /** The token of the claim. Undefined while another node writes. */
  get token(): number | undefined {
    return this.#term?.claim.token;
  }

  /** The node that holds the claim, as far as it is known. */
  get holder(): ClaimHolder | undefined {
    return this.#term === undefined ? this.#holder : { id: this.#node.id, name: this.#node.name };
  }

  /**
   * Why this node, which stands by, could not take over now: the database refuses it the connections. Undefined when
   * it could, or while it writes.
   */
  get takeOverFault(): string | undefined {
    return this.#takeOverFault;
  }

  /**
   * Applies the changes of an operator. Without the claim they apply from the next market on.
   *
   * @throws StoreFault when the new market cannot be opened. Then the old one is open again.
   */
  renew(parts: ServedParts): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#term !== undefined) {
        const { site, ...ofTerm } = this.#term;
        await site.renew({ ...parts, ...ofTerm });
      }
      this.#parts = parts;
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      try {
        await using claim = await this.#parts.place.claim(this.#node, {
          waiting: signal,
          onHolder: (holder) => {
            this.#holder = holder;
            this.#opening[Symbol.dispose]();
            this.#log.info({ holder: holder?.id, host: holder?.name }, 'standing by');
          },
          onFault: (fault, inARow) =>
            this.#log.error({ err: fault, failures: inARow }, cannotWrite),
          onReserved: (reason) => this.#reserved(reason),
        });
        this.#holder = undefined;
        this.#takeOverFault = undefined;
        if (this.#opening.isOver) this.#opening = new Opening();
        await this.#write(claim);
        failures = 0;
      } catch (fault) {
        this.#opening[Symbol.dispose]();
        if (signal.aborted) return;
        failures += 1;
        if (isPowerOfTwo(failures)) this.#log.error({ err: fault, failures }, cannotWrite);
        const pauseMs = backoffMs(failures, retry, Math.random);
        await pauseInRealTime(pauseMs, signal).catch(() => undefined);
      }
    }
  }

  /** Logs when this node begins to lack the connections of a writer, and when it has them. */
  #reserved(reason: string | undefined): void {
    const before = this.#takeOverFault;
    this.#takeOverFault = reason;
    if (before === undefined && reason !== undefined) {
      this.#log.error({ reason }, 'could not reserve the connections to take over, retrying');
    }
    if (before !== undefined && reason === undefined) {
      this.#log.info({}, 'the connections to take over are reserved again');
    }
  }

  /** Runs the market until the claim is lost or the writer is disposed. */
  async #write(claim: WriterClaim): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const stopAt = [claim.lost, this.#stopping.signal];
    for (const signal of stopAt) signal.addEventListener('abort', () => end(), { once: true });
    if (stopAt.some(({ aborted }) => aborted)) return;

    await using cleanUp = new AsyncDisposableStack();
    const store = cleanUp.use(await this.#parts.place.open({ mode: 'create', claim }));
    // The previous writer may have shown quotes of commits that the database has lost since.
    const firstVersion = (): number => versionFloor(this.#clock.now());
    const ofTerm = { claim, onFenced: end, onQuotes: this.#publish, firstVersion };
    // A reload that arrives while the market opens waits for it, and then replaces its parts.
    const site = await this.#turns.run(async () => {
      const opened = cleanUp.use(await openRealSite({ ...this.#parts, ...ofTerm }, store));
      this.#term = { ...ofTerm, site: opened };
      return opened;
    });
    const fence = (): void => site.fence(lossOf(claim));
    claim.lost.addEventListener('abort', fence, { once: true });
    if (claim.lost.aborted) fence();
    this.#opening[Symbol.dispose]();
    this.#log.info({ token: claim.token }, 'this node writes');
    await ended;
    // A reload may be waiting for a database that does not respond.
    site.giveUpRenewal();
    this.#term = undefined;
    const reason = claim.lost.aborted ? lossOf(claim).message : undefined;
    this.#log.info({ token: claim.token, reason }, 'this node no longer writes');
    await this.#turns.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'));
    this.#opening[Symbol.dispose]();
    await this.#running;
  }
}

function lossOf({ lost }: WriterClaim): StoreFault {
  const reason: unknown = lost.reason;
  return reason instanceof StoreFault
    ? reason
    : new StoreFault('fenced', 'the claim is lost', { cause: reason });
}

/** Maximum time of an opening, in milliseconds: that of a take-over. */
const openingMsMax = 2_500;

/**
 * The time in which a market may be about to open. It ends when this is disposed, at the latest after some
 * seconds.
 */
class Opening implements Disposable {
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #limit: NodeJS.Timeout;
  #isOver = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#limit = setTimeout(() => this[Symbol.dispose](), openingMsMax).unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#limit);
    this.#end();
  }
}
