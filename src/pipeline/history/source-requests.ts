import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault } from '../../feeds/contract/feed.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Pause } from '../../lib/time/pause.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import { retryPauseMs } from '../retry-pause.ts';

/** Maximum number of attempts for one instrument, when the source is unavailable or limits requests. */
const attemptsMax = 3;

/** A source that asks for a longer pause is left for a later run, in milliseconds. */
const pauseMsMax = 5 * 60_000;

/** A source that does not serve this many instruments in a row is left for a later run. */
const failedInARowMax = 5;

/** The place of an instrument in a run: how many are done, and how many the run looks at. */
export interface RunPlace {
  readonly done: number;
  readonly total: number;
}

/** Thrown when a source is left for a later run. The message has the cause. */
export class SourceStop extends Error {
  /** Whether this program set the limit that ends the run, so that the source continues with the next one. */
  readonly isOwnLimit: boolean;

  constructor(message: string, { isOwnLimit = false }: { readonly isOwnLimit?: boolean } = {}) {
    super(message);
    this.isOwnLimit = isOwnLimit;
  }
}

/** The end of a run before its last instrument. */
export interface EarlyEnd {
  /** Why the source was left. */
  readonly message: string;
  /** The instruments that the run did not come to, when it ended at the limit of this program. */
  readonly waiting: readonly Ticker[];
  /** Where the next run begins. Undefined: with the first instrument. */
  readonly continueAt: ContinuePoint | undefined;
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

/** An instrument that a source did not serve, with the message of the fault. */
export interface FailedInstrument {
  readonly ticker: Ticker;
  readonly message: string;
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

/**
 * The requests of one run to one source, within the limits of the source: one at a time, spaced, and
 * retried after a fault that may pass.
 */
export class SourceRequests {
  readonly failed: FailedInstrument[] = [];
  readonly #source: HistorySource;
  readonly #dependencies: RequestDependencies;
  #count = 0;
  #failedInARow = 0;
  #requestedAt = Number.NEGATIVE_INFINITY;

  constructor(source: HistorySource, dependencies: RequestDependencies) {
    this.#source = source;
    this.#dependencies = dependencies;
  }

  /** Number of requests so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Runs `work` for the instruments of the source, one after the other, until the run is aborted or the
   * source is left. Returns how the run ended if the source was left before its last instrument. When
   * the source failed, the next run begins after the instrument at which it did, so that an instrument
   * that always fails does not keep the others from their turn.
   *
   * @param tickers undefined for all instruments of the source
   * @param startAt where an earlier run ended
   */
  async forEach(
    {
      tickers,
      startAt,
    }: { readonly tickers?: ReadonlySet<Ticker>; readonly startAt?: ContinuePoint },
    work: (ticker: Ticker, place: RunPlace) => Promise<void>,
  ): Promise<EarlyEnd | undefined> {
    const { signal } = this.#dependencies;
    const own = this.#source.instruments.filter((one) => tickers?.has(one) ?? true);
    const start = startAt === undefined ? 0 : Math.max(0, own.indexOf(startAt.ticker));
    const wanted = [...own.slice(start), ...(startAt?.isRest === true ? [] : own.slice(0, start))];
    for (const [done, ticker] of wanted.entries()) {
      try {
        signal.throwIfAborted();
        await work(ticker, { done, total: wanted.length });
      } catch (error) {
        if (error instanceof SourceStop) {
          const { message, isOwnLimit } = error;
          const rest = wanted.slice(done);
          const next = isOwnLimit ? ticker : rest[1];
          return {
            message,
            waiting: isOwnLimit ? rest : [],
            continueAt: next === undefined ? undefined : { ticker: next, isRest: isOwnLimit },
          };
        }
        if (!signal.aborted) throw error;
        return undefined;
      }
    }
    return undefined;
  }

  /**
   * Fetches a range of one instrument. Undefined when the source does not serve the instrument.
   *
   * @param onTurn called before each request, and before each pause after a fault
   * @throws SourceStop when the source is to be left for a later run.
   */
  async fetch(
    ticker: Ticker,
    { from, to }: DayRange,
    onTurn: (waiting?: RequestPause) => void,
  ): Promise<Awaited<ReturnType<HistorySource['fetch']>> | undefined> {
    const { signal, random, pause } = this.#dependencies;
    for (let attempts = 1; ; attempts += 1) {
      await this.#waitForTurn();
      onTurn();
      try {
        const range = { from: fromEpochDay(from), to: fromEpochDay(to) };
        const batch = await this.#source.fetch({ ticker, ...range }, signal);
        this.#failedInARow = 0;
        return batch;
      } catch (fault) {
        if (signal.aborted || !(fault instanceof FeedFault)) throw fault;
        const { code, message } = fault;
        if (code === 'refused' || code === 'untrusted') throw new SourceStop(message);
        if (code === 'invalid-request' || code === 'unintelligible') {
          this.#fail(ticker, message);
          return undefined;
        }
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
    const leftMs = this.#requestedAt + this.#source.spacingMs - clock.monotonic();
    if (leftMs > 0) await pause(leftMs, signal);
    this.#requestedAt = clock.monotonic();
    this.#count += 1;
  }

  #fail(ticker: Ticker, message: string): void {
    this.failed.push({ ticker, message });
    this.#failedInARow += 1;
    if (this.#failedInARow >= failedInARowMax) {
      throw new SourceStop(
        `${failedInARowMax} instruments in a row failed, the last with: ${message}`,
      );
    }
  }
}

function minutes(ms: number): string {
  return `${Math.ceil(ms / 60_000)} minutes`;
}
