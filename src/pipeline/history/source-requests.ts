import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault } from '../../feeds/contract/feed.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import {
  PacedRequests,
  SourceStop,
  type RequestDependencies,
  type RequestPause,
} from './paced-requests.ts';

/** A source that does not serve this many instruments in a row is left for a later run. */
const failedInARowMax = 5;

/** The place of an instrument in a run: how many are done, and how many the run looks at. */
export interface RunPlace {
  readonly done: number;
  readonly total: number;
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

/**
 * The requests of one run to one source, within the limits of the source: one at a time, spaced, and
 * retried after a fault that may pass.
 */
export class SourceRequests {
  readonly failed: FailedInstrument[] = [];
  readonly #source: HistorySource;
  readonly #dependencies: RequestDependencies;
  readonly #paced: PacedRequests;
  #failedInARow = 0;

  constructor(source: HistorySource, dependencies: RequestDependencies) {
    this.#source = source;
    this.#dependencies = dependencies;
    this.#paced = new PacedRequests(source, dependencies);
  }

  /** Number of requests so far. */
  get count(): number {
    return this.#paced.count;
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
    const range = { from: fromEpochDay(from), to: fromEpochDay(to) };
    try {
      const batch = await this.#paced.send(
        () => this.#source.fetch({ ticker, ...range }, this.#dependencies.signal),
        onTurn,
      );
      this.#failedInARow = 0;
      return batch;
    } catch (fault) {
      if (this.#dependencies.signal.aborted || !(fault instanceof FeedFault)) throw fault;
      this.#fail(ticker, fault.message);
      return undefined;
    }
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
