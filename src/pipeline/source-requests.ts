import { fromEpochDay } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { FeedFault } from '../feeds/contract/feed.ts';
import type { HistoryBatch, HistorySource } from '../feeds/contract/history-source.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Pause } from '../lib/time/pause.ts';
import type { DayRange } from '../store/contract/history-store.ts';
import { retryPauseMs } from './retry-pause.ts';

/** Maximum number of attempts of one request, when the source is unavailable or limits requests. */
const attemptsMax = 3;

/** A source that asks for a longer pause is left for a later run, in milliseconds. */
const pauseMsMax = 5 * 60_000;

/** A source that does not serve this many instruments in a row is left for a later run. */
const failedInARowMax = 5;

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

/** Is called before each request, and before each pause after a fault, then with the pause. */
type OnTurn = (waiting?: RequestPause) => void;

/**
 * The requests of one run to one source: one at a time, spaced, and sent again after a temporary fault. After a
 * lasting one, the source is left for a later run: then {@link stopped} says why.
 */
export class SourceRequests {
  readonly #spacingMs: number;
  readonly #dependencies: RequestDependencies;
  #count = 0;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #stopped: string | undefined;

  /** @param source.spacingMs the minimum time from one request to the next, in milliseconds. */
  constructor({ spacingMs }: { readonly spacingMs: number }, dependencies: RequestDependencies) {
    this.#spacingMs = spacingMs;
    this.#dependencies = dependencies;
  }

  /** Number of requests so far. */
  get count(): number {
    return this.#count;
  }

  /** Why the source is left for a later run. Undefined while it is not. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Leaves the source for a later run. */
  stop(message: string): void {
    this.#stopped = message;
  }

  /**
   * Sends a request, and sends it again after a temporary fault. Gives the batch, or the fault if the source does
   * not serve this request, or serves no request any more.
   *
   * @throws what is no fault of the source, and anything once the run is aborted.
   */
  async send<Batch>(
    request: (signal: AbortSignal) => Promise<Batch>,
    onTurn: OnTurn,
  ): Promise<Batch | FeedFault> {
    const { signal, random, pause } = this.#dependencies;
    for (let attempts = 1; ; attempts += 1) {
      await this.#waitForTurn();
      onTurn();
      try {
        return await request(signal);
      } catch (fault) {
        if (signal.aborted || !(fault instanceof FeedFault)) throw fault;
        const { code, message, retryAfterMs } = fault;
        if (code === 'invalid-request' || code === 'unintelligible') return fault;
        const ms = retryPauseMs(fault, attempts, random);
        const mayPass = code === 'unavailable' || code === 'limited';
        if (!mayPass || attempts >= attemptsMax || ms > pauseMsMax) {
          const isAsked = mayPass && retryAfterMs !== undefined;
          this.stop(isAsked ? `${message}; it asks to wait ${minutes(ms)}` : message);
          return fault;
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

/** The place of an instrument in a run: how many are done, and how many the run looks at. */
export interface RunPlace {
  readonly done: number;
  readonly total: number;
}

/** Where a run continues that an earlier one left early. */
export interface ContinuePoint {
  readonly ticker: Ticker;
  /**
   * Whether the instruments before this one had their turn. Then the run ends with the last instrument.
   * Otherwise it continues with the first one.
   */
  readonly isRest: boolean;
}

/** What a run did not come to, because the source was left before its last instrument. */
interface EarlyEnd {
  /** The instruments that wait for the next run, when this one ended at the limit of this program. */
  readonly waiting: readonly Ticker[];
  /** Where the next run begins. Undefined: with the first instrument. */
  readonly continueAt: ContinuePoint | undefined;
}

/** An instrument that a source did not serve, with the message of the fault. */
export interface FailedInstrument {
  readonly ticker: Ticker;
  readonly message: string;
}

/** The requests of one run for the history of instruments of one source. */
export class HistoryRequests extends SourceRequests {
  readonly failed: FailedInstrument[] = [];
  readonly #source: HistorySource;
  readonly #signal: AbortSignal;
  #failedInARow = 0;
  #isAtLimit = false;

  constructor(source: HistorySource, dependencies: RequestDependencies) {
    super(source, dependencies);
    this.#source = source;
    this.#signal = dependencies.signal;
  }

  /** Leaves the source at a limit of this program: the next run continues with the same instrument. */
  stopAtLimit(message: string): void {
    this.#isAtLimit = true;
    this.stop(message);
  }

  /**
   * Runs `work` for the instruments of the source, one after the other, until the run is aborted or the
   * source is left. When the source failed, the next run begins after the instrument at which it did, so that
   * an instrument that always fails does not keep the others from their turn.
   *
   * @param tickers undefined for all instruments of the source
   * @param startAt where an earlier run ended
   */
  async forEach(
    {
      tickers,
      startAt,
    }: {
      readonly tickers?: ReadonlySet<Ticker> | undefined;
      readonly startAt?: ContinuePoint | undefined;
    },
    work: (ticker: Ticker, place: RunPlace) => Promise<void>,
  ): Promise<EarlyEnd | undefined> {
    const own = this.#source.instruments.filter((one) => tickers?.has(one) ?? true);
    const start = startAt === undefined ? 0 : Math.max(0, own.indexOf(startAt.ticker));
    const wanted = [...own.slice(start), ...(startAt?.isRest === true ? [] : own.slice(0, start))];
    for (const [done, ticker] of wanted.entries()) {
      try {
        this.#signal.throwIfAborted();
        await work(ticker, { done, total: wanted.length });
      } catch (error) {
        if (!this.#signal.aborted) throw error;
        return undefined;
      }
      if (this.stopped === undefined) continue;
      const isRest = this.#isAtLimit;
      const next = isRest ? ticker : wanted[done + 1];
      return {
        waiting: isRest ? wanted.slice(done) : [],
        continueAt: next === undefined ? undefined : { ticker: next, isRest },
      };
    }
    return undefined;
  }

  /** Fetches a range of one instrument. Undefined when the source does not serve it, or is left. */
  async fetch(
    ticker: Ticker,
    { from, to }: DayRange,
    onTurn: OnTurn,
  ): Promise<HistoryBatch | undefined> {
    const request = { ticker, from: fromEpochDay(from), to: fromEpochDay(to) };
    const sent = await this.send((signal) => this.#source.fetch(request, signal), onTurn);
    if (!(sent instanceof FeedFault)) {
      this.#failedInARow = 0;
      return sent;
    }
    if (this.stopped !== undefined) return undefined;
    const { message } = sent;
    this.failed.push({ ticker, message });
    this.#failedInARow += 1;
    if (this.#failedInARow === failedInARowMax) {
      this.stop(`${failedInARowMax} instruments in a row failed, the last with: ${message}`);
    }
    return undefined;
  }
}
