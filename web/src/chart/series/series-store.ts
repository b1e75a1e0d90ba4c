import { signal, type ReadonlySignal, type Signal } from '@preact/signals';

import type { Quote } from '../../market/api/quote.ts';
import { isPassing, type Failure, type Outcome } from '../../market/api/service.ts';
import type { RangeCode } from '../../places/route.ts';
import type { LiveSeries } from './live-series.ts';
import { isStale } from './stale-series.ts';

/** Maximum number of concurrent requests. A browser opens six connections to a server. */
const requestsMax = 3;
/** Maximum number of series that nobody watches. Those that were watched last are kept. */
const keptMax = 40;
/** The pause after a failed request, in milliseconds. */
const pauseMs = 10_000;
/** The interval at which watched series are checked for their age, in milliseconds. */
const checkMs = 5_000;

/** What is known of a series. */
export interface KnownSeries {
  /** Undefined until it is received. */
  readonly series: LiveSeries | undefined;
  /** The reason why it could not be read. */
  readonly message: string | undefined;
}

/** What a store needs of the page. */
export interface SeriesSource {
  readonly read: (
    ticker: string,
    range: RangeCode,
    signal: AbortSignal,
  ) => Promise<Outcome<LiveSeries>>;
  /** The text for a failed request. Undefined if another part of the page reports it. */
  readonly textOf: (failure: Failure) => string | undefined;
  /** The time in milliseconds, from any origin. */
  readonly now: () => number;
  /** Whether nobody sees the page. Then no series is renewed. */
  readonly isHidden: () => boolean;
}

interface Entry {
  readonly ticker: string;
  readonly range: RangeCode;
  readonly known: Signal<KnownSeries>;
  watchers: number;
  /** When the series was received. Undefined if it must be requested. */
  receivedAt: number | undefined;
  /** The session of the quote at that time. */
  day: string | undefined;
  quote: Quote | undefined;
  /** Ends the request under way. */
  stop: AbortController | undefined;
}

/**
 * The series of a board with many charts. A series is requested when it is watched, and renewed while it
 * is watched and the page is visible. One that nobody watches any more is no longer requested, and is
 * kept for a while. Quotes of the board extend it.
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
  series(ticker: string, range: RangeCode): ReadonlySignal<KnownSeries> {
    return this.#entry(ticker, range).known;
  }

  /** Watches a series until the returned function is called. */
  watch(ticker: string, range: RangeCode): () => void {
    const entry = this.#entry(ticker, range);
    const name = nameOf(ticker, range);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
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

  /** Extends a series with the current quote of its instrument. */
  extend(quote: Quote, range: RangeCode): void {
    const entry = this.#entry(quote.especie, range);
    if (entry.quote === quote) return;
    entry.quote = quote;
    entry.day ??= quote.fecha;
    const { series, message } = entry.known.peek();
    const next = series?.withQuote(quote);
    if (next !== series) entry.known.value = { series: next, message };
  }

  /** Requests all series again when they are watched: the quotes of a break are missing. */
  reload(): void {
    for (const entry of this.#entries.values()) entry.receivedAt = undefined;
    this.#renew();
  }

  #entry(ticker: string, range: RangeCode): Entry {
    const name = nameOf(ticker, range);
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      const known = signal<KnownSeries>({ series: undefined, message: undefined });
      const rest = { receivedAt: undefined, day: undefined, quote: undefined, stop: undefined };
      entry = { ticker, range, known, watchers: 0, ...rest };
      this.#entries.set(name, entry);
    }
    return entry;
  }

  #renew(): void {
    if (this.#source.isHidden()) return;
    for (const entry of this.#entries.values()) if (entry.watchers > 0) this.#want(entry);
  }

  /** Requests a series, unless it is fresh or requested already. */
  #want(entry: Entry): void {
    const { range, receivedAt, day, quote } = entry;
    const ageMs = receivedAt === undefined ? undefined : this.#source.now() - receivedAt;
    if (entry.stop !== undefined || !isStale({ range, ageMs, day, quoteDay: quote?.fecha })) return;
    this.#queue.add(entry);
    this.#work();
  }

  #leave(entry: Entry): void {
    this.#queue.delete(entry);
    entry.stop?.abort();
    const unwatched = [...this.#entries].filter(([, { watchers }]) => watchers === 0);
    for (const [name] of unwatched.slice(0, -keptMax)) this.#entries.delete(name);
    if (unwatched.length < this.#entries.size) return;
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
    const outcome = await this.#source.read(entry.ticker, entry.range, stop.signal);
    this.#requests -= 1;
    entry.stop = undefined;
    // The entry may have a watcher again since the request was aborted.
    if (stop.signal.aborted) {
      if (entry.watchers > 0) this.#want(entry);
    } else if (outcome.ok) {
      const { quote } = entry;
      entry.receivedAt = this.#source.now();
      entry.day = quote?.fecha;
      const series = quote === undefined ? outcome.value : outcome.value.withQuote(quote);
      entry.known.value = { series, message: undefined };
    } else {
      const { series } = entry.known.peek();
      entry.known.value = { series, message: this.#source.textOf(outcome.failure) };
      if (isPassing(outcome.failure)) this.#tryLater(entry);
      else entry.receivedAt = this.#source.now();
    }
    this.#work();
  }

  #tryLater(entry: Entry): void {
    if (entry.watchers > 0) this.#queue.add(entry);
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#work();
    }, pauseMs);
  }
}

function nameOf(ticker: string, range: RangeCode): string {
  return `${range} ${ticker}`;
}
