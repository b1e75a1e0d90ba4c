import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar, TickerBar } from '../../domain/quotes/minute-bar.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { ParallelQueue } from '../../lib/time/serial-queue.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault, type Rejected, mapEach, reject } from '../contract/feed.ts';
import type { Origin } from './origin.ts';
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

/** A range of all days. The origin has the bars of its latest sessions only. */
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
  readonly origin: Pick<Origin, 'readRows'>;
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
  readonly #requests = new ParallelQueue(requestsMax);
  /** Number of consecutive failed requests, over all instruments. */
  #failures = 0;
  /** The codes of the faults that were logged. */
  readonly #warned = new Set<FeedFault['code']>();

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
      this.#enqueue(one.ticker, signal);
      return;
    }
    this.#pass(track, [one]);
  }

  #trackOf(ticker: Ticker): Track {
    return this.#tracks.getOrInsertComputed(ticker, () => {
      return { known: this.#parts.latestBar(ticker), isComplete: false, held: undefined };
    });
  }

  #pass(track: Track, bars: readonly TickerBar[]): void {
    const last = bars.at(-1)?.bar;
    track.isComplete = true;
    if (last !== undefined && last.minute >= (track.known?.minute ?? 0)) track.known = last;
    this.#parts.pending.addBars(bars);
  }

  #enqueue(ticker: Ticker, signal: AbortSignal): void {
    void this.#requests.run(() => this.#catchUp(ticker, signal));
  }

  /** Reads the bars of an instrument. After a temporary fault, it is queued again behind the other instruments. */
  async #catchUp(ticker: Ticker, signal: AbortSignal): Promise<void> {
    const { deps, pending } = this.#parts;
    try {
      signal.throwIfAborted();
      while (pending.isFull) await pending.taken(signal);
      try {
        await this.#read(ticker, signal);
        this.#failures = 0;
      } catch (fault) {
        if (!(fault instanceof FeedFault)) throw fault;
        this.#failures += 1;
        const pauseMs = backoffMs(this.#failures, retries, deps.random);
        await deps.pause(Math.max(pauseMs, fault.retryAfterMs ?? 0), signal);
        this.#enqueue(ticker, signal);
      }
    } catch (fault) {
      if (!signal.aborted) pending.fail(fault);
    }
  }

  /**
   * Reads the minutes of an instrument since the latest one here, and passes them on with those that wait.
   *
   * @throws FeedFault if the request may succeed later.
   */
  async #read(ticker: Ticker, signal: AbortSignal): Promise<void> {
    const track = this.#trackOf(ticker);
    const from = track.known === undefined ? undefined : fromEpochDay(track.known.day);
    const ranges = from === undefined ? [always, {}] : [{ ...always, desde: from }, {}];
    for (const range of ranges) {
      try {
        this.#release(track, await this.#request(ticker, range, signal));
        return;
      } catch (fault) {
        if (!(fault instanceof FeedFault)) throw fault;
        if (fault.code === 'limited' || fault.code === 'unavailable') throw fault;
        this.#warn(ticker, fault);
      }
    }
    // Without the minutes before them, the bars of the stream are better than none.
    this.#release(track, []);
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
  ): Promise<readonly TickerBar[]> {
    const parameters = { especie, intervalo: '1m', campos: ['instante'], ...range } as const;
    const { taken, rejected } = await this.#parts.origin.readRows(
      '/intradiarios',
      (client, options) => client.intraday(parameters, options),
      (rows) =>
        mapEach(rows.slice(-readBarsMax), (row): TickerBar | Rejected => {
          const one = mapBar(row);
          const isOther = !('reason' in one) && one.ticker !== especie;
          return isOther ? reject('no-instrument', row, one.ticker) : one;
        }),
      signal,
    );
    if (rejected.length > 0) this.#parts.pending.reject(rejected);
    return taken;
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
