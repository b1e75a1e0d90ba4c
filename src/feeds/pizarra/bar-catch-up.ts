import type {
  PizarraClient,
  RequestOptions,
  Result,
} from '../../../clients/typescript/src/index.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar, TickerBar } from '../../domain/quotes/minute-bar.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault, type Rejected, mapEach, reject } from '../contract/feed.ts';
import { type Origin, restMs } from './origin.ts';
import { mapBar } from './origin-rows.ts';
import type { PendingBatch } from './pending-batch.ts';

/** The maximum number of requests under way. */
const requestsMax = 3;

/** The maximum number of bars in one response that are used: the latest ones. A year of minutes has no more. */
const readBarsMax = 100_000;

/**
 * The maximum number of bars of an instrument that wait for the minutes before them. Of more, the latest wait: the
 * others are read with the minutes before them.
 */
const heldMax = 10;

/** The pauses after a request that failed. */
const retries = { firstMs: 1_000, maxMs: 30_000 };

/** The range that has every session: the origin keeps the latest ones. */
const always = { desde: '1970-01-01', hasta: '9999-12-31' };

/** The bars of one instrument. */
interface Track {
  /** The latest bar that was passed on, or that is stored here. */
  known: Pick<Bar, 'day' | 'minute'> | undefined;
  /** Whether every minute up to the known one has been passed on. */
  isComplete: boolean;
  /** The bars that wait until the minutes before them are read. Undefined while none are being read. */
  held: Map<number, TickerBar> | undefined;
}

interface BarParts {
  readonly origin: Pick<Origin, 'read'>;
  readonly deps: Pick<FeedDeps, 'log' | 'pause' | 'random'>;
  /** The name of the feed, for the log. */
  readonly feed: string;
  readonly latestBar: NonNullable<FeedDeps['latestBar']>;
  readonly pending: PendingBatch;
}

/**
 * Makes the bars of streams complete. A stream begins with the bar under way. If it is a later minute than the
 * latest one here, the minutes between are read from `/intradiarios` first, and the bars of the stream wait for
 * them, so that bars are always passed on in order, and a reader that sees a minute finds all before it.
 */
export class BarCatchUp {
  readonly #parts: BarParts;
  readonly #tracks = new Map<Ticker, Track>();
  readonly #queue: Ticker[] = [];
  /** The codes of the faults that were logged. */
  readonly #warned = new Set<FeedFault['code']>();
  #running = 0;

  constructor(parts: BarParts) {
    this.#parts = parts;
  }

  /** A stream of these instruments was opened: minutes may have ended since the one before. */
  opened(tickers: readonly Ticker[]): void {
    for (const ticker of tickers) this.#trackOf(ticker).isComplete = false;
  }

  /** Takes a bar of a stream. */
  take(one: TickerBar, signal: AbortSignal): void {
    const track = this.#trackOf(one.ticker);
    const { known, held } = track;
    if (held !== undefined) {
      held.set(one.bar.minute, one);
      if (held.size > heldMax) held.delete(Math.min(...held.keys()));
      return;
    }
    if (!track.isComplete && (known === undefined || one.bar.minute > known.minute)) {
      track.held = new Map([[one.bar.minute, one]]);
      this.#queue.push(one.ticker);
      void this.#work(signal);
      return;
    }
    this.#pass(track, [one]);
  }

  #trackOf(ticker: Ticker): Track {
    const found = this.#tracks.get(ticker);
    if (found !== undefined) return found;
    const track = { known: this.#parts.latestBar(ticker), isComplete: false, held: undefined };
    this.#tracks.set(ticker, track);
    return track;
  }

  #pass(track: Track, bars: readonly TickerBar[]): void {
    const last = bars.at(-1)?.bar;
    track.isComplete = true;
    if (last !== undefined && last.minute >= (track.known?.minute ?? 0)) track.known = last;
    this.#parts.pending.addBars(bars);
  }

  /** Reads the bars of the queue, beside the requests that are under way. */
  async #work(signal: AbortSignal): Promise<void> {
    if (this.#running >= requestsMax) return;
    this.#running += 1;
    try {
      for (let failures = 0; ;) {
        const ticker = this.#queue.shift();
        if (ticker === undefined) return;
        while (this.#parts.pending.isFull) await this.#parts.pending.taken(signal);
        try {
          const waitMs = await this.#read(ticker, signal);
          failures = 0;
          if (waitMs > 0) await this.#parts.deps.pause(waitMs, signal);
        } catch (fault) {
          if (!(fault instanceof FeedFault)) throw fault;
          failures += 1;
          this.#queue.push(ticker);
          const pauseMs = backoffMs(failures, retries, this.#parts.deps.random);
          await this.#parts.deps.pause(Math.max(pauseMs, fault.retryAfterMs ?? 0), signal);
        }
      }
    } catch (fault) {
      if (!signal.aborted) this.#parts.pending.fail(fault);
    } finally {
      this.#running -= 1;
    }
  }

  /**
   * Reads the minutes of an instrument since the latest one here, and passes them on with those that wait.
   *
   * @returns how long to wait until the next request, in milliseconds.
   * @throws FeedFault if the request may succeed later.
   */
  async #read(ticker: Ticker, signal: AbortSignal): Promise<number> {
    const track = this.#trackOf(ticker);
    const from = track.known === undefined ? undefined : fromEpochDay(track.known.day);
    const ranges = from === undefined ? [always, {}] : [{ ...always, desde: from }, {}];
    for (const range of ranges) {
      try {
        const { bars, waitMs } = await this.#request(ticker, range, signal);
        this.#release(track, bars);
        return waitMs;
      } catch (fault) {
        if (!(fault instanceof FeedFault)) throw fault;
        if (fault.code === 'limited' || fault.code === 'unavailable') throw fault;
        this.#warn(ticker, fault);
      }
    }
    // Without the minutes before them, the bars of the stream are better than none.
    this.#release(track, []);
    return 0;
  }

  /** Logs the first fault of each code: it is often that of all instruments. */
  #warn(ticker: Ticker, { code, message: fault }: FeedFault): void {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    const details = { feed: this.#parts.feed, ticker, fault };
    this.#parts.deps.log.warn(details, 'bars of the followed service not read');
  }

  async #request(
    especie: Ticker,
    range: { readonly desde?: string; readonly hasta?: string },
    signal: AbortSignal,
  ): Promise<{ readonly bars: readonly TickerBar[]; readonly waitMs: number }> {
    const parameters = { especie, intervalo: '1m', campos: ['instante'], ...range } as const;
    const request = {
      path: '/intradiarios',
      send: (client: PizarraClient, options: RequestOptions) =>
        client.intraday(parameters, options),
      map: (sent: Result<readonly unknown[]>) => sent,
    };
    const { data, rateLimit } = await this.#parts.origin.read(request, signal);
    const { taken, rejected } = mapEach(data.slice(-readBarsMax), (row): TickerBar | Rejected => {
      const one = mapBar(row);
      const isOther = !('reason' in one) && one.ticker !== especie;
      return isOther ? reject('no-instrument', row, one.ticker) : one;
    });
    if (rejected.length > 0) this.#parts.pending.reject(rejected);
    return { bars: taken, waitMs: restMs(rateLimit) };
  }

  /** Passes on bars that were read, and those that waited for them, which are later states. */
  #release(track: Track, read: readonly TickerBar[]): void {
    const since = track.known?.minute ?? 0;
    const byMinute = new Map(read.map((one) => [one.bar.minute, one]));
    for (const [minute, one] of track.held ?? []) byMinute.set(minute, one);
    track.held = undefined;
    const bars = [...byMinute.values()].filter(({ bar }) => bar.minute >= since);
    this.#pass(
      track,
      bars.toSorted((a, b) => a.bar.minute - b.bar.minute),
    );
  }
}
