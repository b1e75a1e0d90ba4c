import { SerialQueue } from '../../lib/time/serial-queue.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { versionFloor } from '../../domain/values/version-floor.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { WriterClaim, WriterNode } from '../../store/contract/place.ts';
import { StoreFault, type ClaimHolder } from '../../store/contract/store-fault.ts';
import type { MarketSource } from '../market/market.ts';
import { Producer, type MarketParts, type ProducerOptions } from '../market/producer.ts';

/** Pauses after a producer that could not be opened, in milliseconds. Meanwhile, another node may succeed. */
const retry = { firstMs: 500, maxMs: 10_000 };

/** The log message for every reason, which `pizarra doctor` names. */
const cannotWrite = 'could not write, standing by';

/** Maximum wait for a producer that is about to open, in milliseconds: that of a take-over. */
const openingMsMax = 2_500;

/** What a node runs while it holds the claim. */
interface Term {
  readonly token: number;
  readonly producer: Producer;
}

/** What a writer is made of. */
export interface WriterOptions extends Pick<ProducerOptions, 'beforeReading' | 'catchUp'> {
  readonly node: WriterNode;
  readonly parts: MarketParts;
  /** Receives quotes when they are durable. They are simulated if the producer of a demonstration made them. */
  readonly publish: (quotes: readonly Quote[], isSimulated: boolean) => void;
}

/**
 * The writing part of a node: while it holds the claim, it runs a producer. Over a data directory, nobody contests
 * the claim. Over a database, {@link compete} tries to get it until the writer is disposed. The producer is opened
 * after the claim was granted, so it continues from the last quotes of the holder before.
 *
 * When the claim is lost, nothing more is stored, from that instant on. Then the producer is closed, and
 * the node stands by again. Disposing closes the producer first and releases the claim next, so that
 * another node continues at once.
 */
export class NodeWriter implements AsyncDisposable {
  readonly #options: WriterOptions;
  readonly #log: Log;
  #parts: MarketParts;
  #term: Term | undefined;
  #holder: ClaimHolder | undefined;
  #takeOverFault: string | undefined;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** Reloads and changes of the term run one after the other. */
  readonly #queue = new SerialQueue();
  /** Pending until the first try has an outcome, and from the grant of a claim until its producer is open. */
  #opening = Promise.withResolvers<void>();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#parts = options.parts;
    this.#log = options.parts.log;
  }

  /** The open producer. Undefined while another node writes. */
  get producer(): Producer | undefined {
    return this.#term?.producer;
  }

  /**
   * The open producer, also when it is about to open: the claim is granted, or it is not known yet whether
   * another node has it. Undefined when another node writes, or when the producer does not open in time.
   */
  async producerSoon(): Promise<Producer | undefined> {
    const late = new AbortController();
    const limit = pauseInRealTime(openingMsMax, late.signal).catch(() => undefined);
    await Promise.race([this.#opening.promise, limit]);
    late.abort();
    return this.producer;
  }

  /** The token of the claim. Undefined while another node writes. */
  get token(): number | undefined {
    return this.#term?.token;
  }

  /** The other node that holds the claim, as far as it is known. Undefined while this node writes. */
  get holder(): ClaimHolder | undefined {
    return this.#holder;
  }

  /**
   * Why this node, which stands by, could not take over now: the database refuses it the connections. Undefined when
   * it could, or while it writes.
   */
  get takeOverFault(): string | undefined {
    return this.#takeOverFault;
  }

  /** Opens a producer over a store whose claim is held. */
  async begin(
    claim: WriterClaim,
    source: MarketSource,
    {
      isSimulated = false,
      ...options
    }: Partial<Pick<ProducerOptions, 'isSimulated' | 'onFenced' | 'firstVersion'>> = {},
  ): Promise<Producer> {
    const { publish, beforeReading, catchUp } = this.#options;
    // A reload that arrives meanwhile waits, and then replaces the parts.
    return this.#queue.run(async () => {
      const producer = await Producer.open(this.#parts, {
        ...source,
        isSimulated,
        onQuotes: (quotes) => publish(quotes, isSimulated),
        beforeReading,
        catchUp,
        ...options,
      });
      this.#term = { token: claim.token, producer };
      this.#opening.resolve();
      return producer;
    });
  }

  /**
   * Replaces a demonstration by the producer of another store. It is in place before `show` shows its market, so a
   * client that sees the market may push to it at once. If `show` fails, nothing changes.
   */
  async replace(
    claim: WriterClaim,
    { parts, ...source }: MarketSource & { readonly parts: MarketParts },
    show: () => Promise<void>,
  ): Promise<void> {
    const before = { term: this.#term, parts: this.#parts };
    this.#parts = parts;
    try {
      await this.begin(claim, source);
      await show();
    } catch (fault) {
      if (this.#term !== before.term) await this.producer?.[Symbol.asyncDispose]();
      this.#term = before.term;
      this.#parts = before.parts;
      throw fault;
    }
    await before.term?.producer[Symbol.asyncDispose]();
  }

  /**
   * Applies the changes of an operator. Without the claim they apply from the next term on.
   *
   * @throws StoreFault when the new pipeline cannot be opened. Then the old one is open again.
   */
  renew(parts: MarketParts): Promise<void> {
    return this.#queue.run(async () => {
      await this.producer?.renew(parts);
      this.#parts = parts;
    });
  }

  /** Tries to get the claim until the writer is disposed, and writes whenever it has it. */
  compete(): void {
    this.#running = this.#compete();
  }

  async #compete(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      try {
        await using claim = await this.#parts.place.claim(this.#options.node, {
          waiting: signal,
          onHolder: (holder) => {
            this.#holder = holder;
            this.#opening.resolve();
            this.#log.info({ holder: holder?.id, host: holder?.name }, 'standing by');
          },
          onFault: (fault, inARow) =>
            this.#log.error({ err: fault, failures: inARow }, cannotWrite),
          onReserved: (reason) => this.#reserved(reason),
        });
        this.#holder = undefined;
        this.#takeOverFault = undefined;
        const opening = Promise.withResolvers<void>();
        // Whoever waits for the outcome of the first try waits for this one, too.
        this.#opening.resolve(opening.promise);
        this.#opening = opening;
        await this.#write(claim);
        failures = 0;
      } catch (fault) {
        this.#opening.resolve();
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

  /** Runs a producer until the claim is lost or the writer is disposed. */
  async #write(claim: WriterClaim): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const stopAt = [claim.lost, this.#stopping.signal];
    for (const signal of stopAt) signal.addEventListener('abort', () => end(), { once: true });
    if (stopAt.some(({ aborted }) => aborted)) return;

    const { place } = this.#parts;
    await using store = await place.open({ mode: 'create', claim });
    const options = { onFenced: end, firstVersion: versionFromNow };
    await using producer = await this.begin(claim, { place, store }, options);
    const fence = (): void => producer.fence(lossOf(claim));
    claim.lost.addEventListener('abort', fence, { once: true });
    if (claim.lost.aborted) fence();
    this.#log.info({ token: claim.token }, 'this node writes');
    await ended;
    // A reload may be waiting for a database that does not respond.
    producer.giveUpRenewal();
    this.#term = undefined;
    const reason = claim.lost.aborted ? lossOf(claim).message : undefined;
    this.#log.info({ token: claim.token, reason }, 'this node no longer writes');
    await this.#queue.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'));
    this.#opening.resolve();
    if (this.#running === undefined) await this.producer?.[Symbol.asyncDispose]();
    else await this.#running;
  }
}

/** The previous writer may have shown quotes of commits that the database has lost since. */
function versionFromNow(): number {
  return versionFloor(systemClock.now());
}

function lossOf({ lost }: WriterClaim): StoreFault {
  const reason: unknown = lost.reason;
  return reason instanceof StoreFault
    ? reason
    : new StoreFault('fenced', 'the claim is lost', { cause: reason });
}
