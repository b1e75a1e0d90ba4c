import { signal, type ReadonlySignal, type Signal } from '@preact/signals';

import type { Adjustment, Quote } from '../../market/api/quote.ts';
import { isPassing, type Failure, type Outcome } from '../../market/api/service.ts';
import type { RangeCode } from '../../places/route.ts';
import type { LiveSeries } from './live-series.ts';
import { isIntradayRange } from './range.ts';

/** Maximum number of concurrent requests. A browser opens six connections to a server. */
const requestsMax = 3;
/** Maximum number of series that nobody watches. Those that were watched last are kept. */
const keptMax = 40;
/** The pause after a failed request, in milliseconds. */
const pauseMs = 10_000;
/** The interval at which watched series are checked for their age, in milliseconds. */
const checkMs = 5_000;
/**
 * The age at which a series is requested again, in milliseconds: one of intraday bars, for the volumes and for the
 * prices between two events of the stream; one of closes, until it has the close of its session, which is stored some
 * time after the end (contract 2.6.4).
 */
const renewalMs = 60_000;

/** What is known of a series. */
export interface KnownSeries {
  /** Undefined until it is received. */
  readonly series: LiveSeries | undefined;
  /** The reason why it could not be read. */
  readonly message: string | undefined;
}

/** What identifies a series. The prices of intraday bars are never adjusted. */
export interface SeriesName {
  readonly ticker: string;
  readonly range: RangeCode;
  readonly adjustment: Adjustment;
}

/** What a store needs of the page. */
export interface SeriesSource {
  readonly read: (name: SeriesName, signal: AbortSignal) => Promise<Outcome<LiveSeries>>;
  /** The text for a failed request. Undefined if another part of the page reports it. */
  readonly textOf: (failure: Failure) => string | undefined;
  /** Whether the session of a quote has ended. */
  readonly hasEnded: (quote: Quote) => boolean;
  /** The time in milliseconds, from any origin. */
  readonly now: () => number;
  /** Whether nobody sees the page. Then no series is renewed. */
  readonly isHidden: () => boolean;
}

interface Entry extends SeriesName {
  readonly known: Signal<KnownSeries>;
  watchers: number;
  /** When the series was received. Undefined if it must be requested. */
  receivedAt: number | undefined;
  /** The session of the quote when the series was requested, or of the first one after it. */
  day: string | undefined;
  quote: Quote | undefined;
  /** Ends the request under way. */
  stop: AbortController | undefined;
}

/**
 * The series of charts. A series is requested when it is watched, and renewed while it is watched and the page is
 * visible. One that nobody watches any more is no longer requested, and is kept for a while. Quotes extend it.
 */
export class SeriesStore {
  readonly #source: SeriesSource;
  readonly #entries = new Map<string, Entry>();
  readonly #queue = new Set<Entry>();
  #requests = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #check: ReturnType<typeof setInterval> | undefined;

  constructor(source: SeriesSource) {
    this.#source = source;
  }

  /** A series, which is received once it is watched. */
  series(
    ticker: string,
    range: RangeCode,
    adjustment: Adjustment = 'splits',
  ): ReadonlySignal<KnownSeries> {
    return this.#entry({ ticker, range, adjustment }).known;
  }

  /** Watches a series until the returned function is called. */
  watch(ticker: string, range: RangeCode, adjustment: Adjustment = 'splits'): () => void {
    const entry = this.#entry({ ticker, range, adjustment });
    const id = idOf(entry);
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    entry.watchers += 1;
    this.#check ??= setInterval(() => this.#renew(), checkMs);
    this.#want(entry);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      entry.watchers -= 1;
      if (entry.watchers === 0) this.#leave(entry);
    };
  }

  /**
   * Extends a series with the current quote of its instrument. Closes are on the basis of the session for which they
   * were requested (contract 4.2.6): the quote of a later one waits until they are received again.
   */
  extend(quote: Quote, range: RangeCode, adjustment: Adjustment = 'splits'): void {
    const entry = this.#entry({ ticker: quote.especie, range, adjustment });
    if (entry.quote === quote) return;
    entry.quote = quote;
    entry.day ??= quote.fecha;
    if (isOnEarlierBasis(entry)) {
      if (entry.watchers > 0) this.#want(entry);
      return;
    }
    const { series, message } = entry.known.peek();
    const next = series?.withQuote(quote);
    if (next !== series) entry.known.value = { series: next, message };
  }

  /** Requests all series again when they are watched: the quotes of a break are missing. */
  reload(): void {
    this.#resume();
    for (const entry of this.#entries.values()) entry.receivedAt = undefined;
    this.#renew();
  }

  #entry({ ticker, range, adjustment }: SeriesName): Entry {
    const id = idOf({ ticker, range, adjustment });
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      const known = signal<KnownSeries>({ series: undefined, message: undefined });
      const rest = { receivedAt: undefined, day: undefined, quote: undefined, stop: undefined };
      entry = { ticker, range, adjustment, known, watchers: 0, ...rest };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  #renew(): void {
    if (this.#source.isHidden()) return;
    for (const entry of this.#entries.values()) if (entry.watchers > 0) this.#want(entry);
  }

  /** Requests a series, unless it is fresh or requested already. */
  #want(entry: Entry): void {
    if (entry.stop !== undefined || !this.#isStale(entry)) return;
    this.#queue.add(entry);
    this.#work();
  }

  #isStale(entry: Entry): boolean {
    const { range, receivedAt, quote, known } = entry;
    if (receivedAt === undefined || isOfEarlierSession(entry)) return true;
    if (this.#source.now() - receivedAt < renewalMs) return false;
    if (isIntradayRange(range)) return true;
    const { series } = known.peek();
    return series?.rows !== series?.stored && quote !== undefined && this.#source.hasEnded(quote);
  }

  #leave(entry: Entry): void {
    this.#queue.delete(entry);
    entry.stop?.abort();
    const unwatched = [...this.#entries].filter(([, { watchers }]) => watchers === 0);
    for (const [id] of unwatched.slice(0, -keptMax)) this.#entries.delete(id);
    if ([...this.#entries.values()].some(({ watchers }) => watchers > 0)) return;
    clearInterval(this.#check);
    this.#check = undefined;
  }

  #work(): void {
    if (this.#pause !== undefined) return;
    for (const entry of this.#queue) {
      if (this.#requests === requestsMax) return;
      this.#queue.delete(entry);
      void this.#request(entry);
    }
  }

  async #request(entry: Entry): Promise<void> {
    const stop = new AbortController();
    entry.stop = stop;
    this.#requests += 1;
    const day = entry.quote?.fecha;
    const outcome = await this.#source.read(entry, stop.signal);
    this.#requests -= 1;
    entry.stop = undefined;
    // The entry may have a watcher again since the request was aborted.
    if (stop.signal.aborted) {
      if (entry.watchers > 0) this.#want(entry);
    } else if (outcome.ok) {
      const { quote } = entry;
      entry.receivedAt = this.#source.now();
      entry.day = day ?? quote?.fecha;
      const isWhole = quote === undefined || isOnEarlierBasis(entry);
      const series = isWhole ? outcome.value : outcome.value.withQuote(quote);
      entry.known.value = { series, message: undefined };
    } else {
      const { series } = entry.known.peek();
      entry.known.value = { series, message: this.#source.textOf(outcome.failure) };
      if (isPassing(outcome.failure)) this.#tryLater(entry);
      else {
        entry.receivedAt = this.#source.now();
        entry.day = entry.quote?.fecha;
      }
    }
    this.#work();
  }

  #tryLater(entry: Entry): void {
    if (entry.watchers > 0) this.#queue.add(entry);
    this.#pause ??= setTimeout(() => this.#resume(), pauseMs);
  }

  #resume(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#work();
  }
}

/** Whether a series was requested for an earlier session than that of its quote. */
function isOfEarlierSession({ day, quote }: Entry): boolean {
  return day !== undefined && quote !== undefined && quote.fecha > day;
}

/** Whether a quote cannot extend a series: the basis of closes may change with each session (contract 4.2.6). */
function isOnEarlierBasis(entry: Entry): boolean {
  return !isIntradayRange(entry.range) && isOfEarlierSession(entry);
}

function idOf({ ticker, range, adjustment }: SeriesName): string {
  return `${range} ${adjustment} ${ticker}`;
}
