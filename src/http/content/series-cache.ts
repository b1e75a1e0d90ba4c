import { LRUCache } from 'lru-cache';

import type { Instrument } from '../../domain/instrument.ts';
import { firstEpochDay, lastEpochDay } from '../../domain/plain-date.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HistoryReader } from '../../store/history-store.ts';
import type { Body } from './body.ts';
import type { BodyFormat } from './negotiation.ts';
import { RenderedSeries, emptyBody } from './rendered-series.ts';

const wholeHistory = { from: firstEpochDay, to: lastEpochDay };

const formats: readonly BodyFormat[] = ['json', 'csv'];

/** Where series are read. */
export type SeriesReader = Pick<HistoryReader, 'readSeries'>;

/**
 * Rendered series, within a limit of bytes: the one that was not asked for longest goes, and comes
 * back when it is asked for. A series is read when it is first asked for, once however many ask
 * meanwhile.
 *
 * Whoever owns a cache tells it which instruments changed ({@link invalidate}). A series that is
 * being read just then is given to those who wait for it, whose requests came before, and not kept.
 */
export class SeriesCache {
  readonly #history: SeriesReader;
  readonly #clock: Clock;
  readonly #kept: LRUCache<string, RenderedSeries>;
  readonly #empty = { json: emptyBody('json'), csv: emptyBody('csv') };
  readonly #loading = new Map<string, Promise<RenderedSeries>>();

  constructor(options: {
    readonly history: SeriesReader;
    readonly clock: Clock;
    readonly bytesMax: number;
  }) {
    this.#history = options.history;
    this.#clock = options.clock;
    this.#kept = new LRUCache({
      maxSize: options.bytesMax,
      sizeCalculation: ({ bytesHeld }) => bytesHeld,
    });
  }

  /** What the kept series take, in bytes. */
  get bytesHeld(): number {
    return this.#kept.calculatedSize;
  }

  /** The body of an instrument that is not there. */
  empty(format: BodyFormat): Body {
    return this.#empty[format];
  }

  /** A series that is at hand. */
  peek({ ticker }: Instrument, format: BodyFormat): RenderedSeries | undefined {
    return this.#kept.get(keyOf(ticker, format));
  }

  /**
   * A series that is not.
   *
   * @throws StoreFault when it cannot be read; the next who asks has it tried again.
   */
  load(instrument: Instrument, format: BodyFormat): Promise<RenderedSeries> {
    const key = keyOf(instrument.ticker, format);
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const loading = this.#read(instrument, format).then(
      (series) => {
        // Another one here, or none, means that the instrument has changed since.
        if (this.#loading.get(key) === loading) {
          this.#loading.delete(key);
          this.#kept.set(key, series);
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

  /** Forgets the series of instruments whose closes have changed. */
  invalidate(tickers: readonly Ticker[]): void {
    for (const ticker of tickers) {
      for (const format of formats) {
        const key = keyOf(ticker, format);
        this.#loading.delete(key);
        this.#kept.delete(key);
      }
    }
  }

  /** Forgets all. */
  clear(): void {
    this.#loading.clear();
    this.#kept.clear();
  }

  async #read(instrument: Instrument, format: BodyFormat): Promise<RenderedSeries> {
    const key = keyOf(instrument.ticker, format);
    const series = await this.#history.readSeries(instrument.ticker, wholeHistory);
    return new RenderedSeries(instrument, series, {
      format,
      readAt: this.#clock.now(),
      onGrowth: (grown) => this.#weighAgain(key, grown),
    });
  }

  #weighAgain(key: string, series: RenderedSeries): void {
    // One that was forgotten meanwhile still serves those who hold it, and weighs nothing here.
    if (this.#kept.peek(key) !== series) return;
    this.#kept.delete(key);
    this.#kept.set(key, series);
  }
}

/** That of the usual format is made of nothing; no ticker has the blank in front of the other. */
function keyOf(ticker: Ticker, format: BodyFormat): string {
  return format === 'json' ? ticker : ` ${ticker}`;
}
