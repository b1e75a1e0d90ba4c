import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instrument.ts';
import { firstEpochDay, lastEpochDay } from '../../domain/plain-date.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HistoryReader } from '../../store/history-store.ts';
import type { TableFormat } from '../../wire/table-format.ts';
import type { Body } from './body.ts';
import { RenderedSeries, emptyBody } from './rendered-series.ts';

const wholeHistory = { from: firstEpochDay, to: lastEpochDay };

const formats: readonly TableFormat[] = ['json', 'csv', 'csv-comma'];

/** Reads series from a store. */
export type SeriesReader = Pick<HistoryReader, 'readSeries'>;

/**
 * Rendered series, within a limit of bytes. Beyond it the least recently used is evicted. A series is
 * read at the first request for it, once for all requests that wait for it.
 *
 * The owner of a cache reports which instruments have changed ({@link invalidate}). A series that is
 * being read at that moment is given to the requests that wait for it, and not cached.
 */
export class SeriesCache {
  readonly #history: SeriesReader;
  readonly #clock: Clock;
  readonly #cached: LRUCache<string, RenderedSeries>;
  readonly #empty = {
    json: emptyBody('json'),
    csv: emptyBody('csv'),
    'csv-comma': emptyBody('csv-comma'),
  };
  readonly #loading = new Map<string, Promise<RenderedSeries>>();

  constructor(options: {
    readonly history: SeriesReader;
    readonly clock: Clock;
    readonly bytesMax: number;
  }) {
    this.#history = options.history;
    this.#clock = options.clock;
    this.#cached = new LRUCache({
      maxSize: options.bytesMax,
      sizeCalculation: ({ bytesHeld }) => bytesHeld,
    });
  }

  /** The memory of the cached series, in bytes. */
  get bytesHeld(): number {
    return this.#cached.calculatedSize;
  }

  /** The body for an unknown instrument. */
  empty(format: TableFormat): Body {
    return this.#empty[format];
  }

  /** A cached series. */
  peek({ ticker }: Instrument, format: TableFormat): RenderedSeries | undefined {
    return this.#cached.get(keyOf(ticker, format));
  }

  /**
   * Reads a series that is not cached.
   *
   * @throws StoreFault if it cannot be read. The next request tries again.
   */
  load(instrument: Instrument, format: TableFormat): Promise<RenderedSeries> {
    const key = keyOf(instrument.ticker, format);
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const loading = this.#read(instrument, format).then(
      (series) => {
        // If there is another one, or none, the instrument has changed meanwhile.
        if (this.#loading.get(key) === loading) {
          this.#loading.delete(key);
          this.#cached.set(key, series);
        }
        return series;
      },
      (fault: unknown) => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
        throw fault;
      },
    );
    this.#loading.set(key, loading);
    return loading;
  }

  /** Drops the series of instruments whose closes have changed. */
  invalidate(tickers: readonly Ticker[]): void {
    for (const ticker of tickers) {
      for (const format of formats) {
        const key = keyOf(ticker, format);
        this.#loading.delete(key);
        this.#cached.delete(key);
      }
    }
  }

  /** Drops all series. */
  clear(): void {
    this.#loading.clear();
    this.#cached.clear();
  }

  async #read(instrument: Instrument, format: TableFormat): Promise<RenderedSeries> {
    const key = keyOf(instrument.ticker, format);
    const series = await this.#history.readSeries(instrument.ticker, wholeHistory);
    return new RenderedSeries(instrument, series, {
      format,
      readAt: this.#clock.now(),
      onGrowth: (grown) => this.#weighAgain(key, grown),
    });
  }

  #weighAgain(key: string, series: RenderedSeries): void {
    // One that was evicted may still be in use, and has no weight in the cache.
    if (this.#cached.peek(key) !== series) return;
    this.#cached.delete(key);
    this.#cached.set(key, series);
  }
}

/** The key of the usual format is the ticker itself. No ticker contains the comma of the other keys. */
function keyOf(ticker: Ticker, format: TableFormat): string {
  return format === 'json' ? ticker : `${format},${ticker}`;
}
