import { FeedFault } from '../../feeds/contract/feed.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Pause } from '../../lib/time/pause.ts';
import { retryPauseMs } from '../retry-pause.ts';

/** Maximum number of attempts of one request, when the source is unavailable or limits requests. */
const attemptsMax = 3;

/** A source that asks for a longer pause is left for a later run, in milliseconds. */
const pauseMsMax = 5 * 60_000;

/** Thrown when a source is left for a later run. The message has the cause. */
export class SourceStop extends Error {
  /** Whether this program set the limit that ends the run, so that the source continues with the next one. */
  readonly isOwnLimit: boolean;

  constructor(message: string, { isOwnLimit = false }: { readonly isOwnLimit?: boolean } = {}) {
    super(message);
    this.isOwnLimit = isOwnLimit;
  }
}

/** What requests to sources depend on. */
export interface RequestDependencies {
  readonly clock: Clock;
  /** Returns numbers from 0 up to but not including 1. */
  readonly random: () => number;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

/** The pause before the next attempt, in milliseconds, and its cause. */
export interface RequestPause {
  readonly ms: number;
  readonly cause: string;
}

/** The requests of one run to one source: one at a time, spaced, and retried after a fault that may pass. */
export class PacedRequests {
  readonly #spacingMs: number;
  readonly #dependencies: RequestDependencies;
  #count = 0;
  #requestedAt = Number.NEGATIVE_INFINITY;

  /** @param source.spacingMs the minimum time from one request to the next, in milliseconds. */
  constructor({ spacingMs }: { readonly spacingMs: number }, dependencies: RequestDependencies) {
    this.#spacingMs = spacingMs;
    this.#dependencies = dependencies;
  }

  /** Number of requests so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Sends a request, and again after a fault that may pass.
   *
   * @param onTurn called before each attempt, and before each pause after a fault
   * @throws SourceStop when the source is to be left for a later run.
   * @throws FeedFault `invalid-request` or `unintelligible`, which concern this request alone.
   */
  async send<T>(request: () => Promise<T>, onTurn: (waiting?: RequestPause) => void): Promise<T> {
    const { signal, random, pause } = this.#dependencies;
    for (let attempts = 1; ; attempts += 1) {
      await this.#waitForTurn();
      onTurn();
      try {
        return await request();
      } catch (fault) {
        if (signal.aborted || !(fault instanceof FeedFault)) throw fault;
        const { code, message } = fault;
        if (code === 'refused' || code === 'untrusted') throw new SourceStop(message);
        if (code === 'invalid-request' || code === 'unintelligible') throw fault;
        const ms = retryPauseMs(fault, attempts, random);
        if (attempts >= attemptsMax || ms > pauseMsMax) {
          const wait = fault.retryAfterMs === undefined ? '' : `; it asks to wait ${minutes(ms)}`;
          throw new SourceStop(`${message}${wait}`);
        }
        onTurn({ ms, cause: message });
        await pause(ms, signal);
      }
    }
  }

  /** Waits until the spacing since the last request has passed. */
  async #waitForTurn(): Promise<void> {
    const { clock, pause, signal } = this.#dependencies;
    const leftMs = this.#requestedAt + this.#spacingMs - clock.monotonic();
    if (leftMs > 0) await pause(leftMs, signal);
    this.#requestedAt = clock.monotonic();
    this.#count += 1;
  }
}

function minutes(ms: number): string {
  return `${Math.ceil(ms / 60_000)} minutes`;
}
