import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { ChartInterval } from '../../wire/udf/udf-params.ts';
import type { SeriesReader } from '../content/series-cache.ts';
import type { Chart } from './chart.ts';
import { DailyChart } from './daily-chart.ts';
import { SessionChart } from './session-chart.ts';

/** The memory of a cached chart besides its bars, in bytes: the latest bodies with their encodings. */
const bytesPerChart = 64 * 1024;

/** What the bars of charts are made of. */
export interface ChartsParts {
  readonly board: Board;
  readonly history: SeriesReader;
  readonly bars: BarReader;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  /** Number of sessions of each instrument whose bars the store keeps. Absent for no limit. */
  readonly intradaySessions?: number;
  readonly bytesMax: number;
}

/**
 * The bars of charts, rendered, within a limit of bytes. Beyond it the least recently used chart is evicted, and
 * read again when it is needed.
 */
export class Charts {
  readonly #parts: ChartsParts;
  readonly #calendars: MarketCalendars;
  readonly #cached: LRUCache<string, DailyChart | SessionChart>;

  constructor(parts: ChartsParts) {
    this.#parts = parts;
    this.#calendars = new MarketCalendars(parts.board.universe);
    this.#cached = new LRUCache({
      maxSize: parts.bytesMax,
      sizeCalculation: ({ bytesHeld }) => bytesPerChart + bytesHeld,
    });
  }

  /** The current bars of an instrument in an interval. */
  current(instrument: Instrument, interval: ChartInterval): Chart | Promise<Chart> {
    const key = `${interval} ${instrument.ticker}`;
    const known = this.#cached.get(key);
    if (known !== undefined) return known.current();
    const created = this.#create(instrument, interval, () => {
      // A cached value is weighed when it is set. One that was dropped meanwhile is not cached again.
      if (this.#cached.peek(key) !== created) return;
      this.#cached.delete(key);
      this.#cached.set(key, created);
    });
    this.#cached.set(key, created);
    return created.current();
  }

  /** Drops the charts of instruments whose closes, corporate actions or stored bars may have changed. */
  invalidate(tickers: Iterable<Ticker>): void {
    const changed = new Set(tickers);
    const stale = Array.from(this.#cached.entries()).filter(([, { instrument }]) =>
      changed.has(instrument.ticker),
    );
    for (const [key] of stale) this.#cached.delete(key);
  }

  /** Drops all charts. */
  clear(): void {
    this.#cached.clear();
  }

  #create(
    instrument: Instrument,
    interval: ChartInterval,
    onLoad: () => void,
  ): DailyChart | SessionChart {
    const { board, bars, intradaySessions = Number.POSITIVE_INFINITY } = this.#parts;
    const latest = board.latestFor(noExtras);
    if (interval === 'day') {
      const quote = (): ReturnType<typeof latest.quote> => latest.quote(instrument);
      return new DailyChart(instrument, { ...this.#parts, quote, onLoad });
    }
    return new SessionChart(instrument, {
      interval,
      bars,
      calendar: this.#calendars.of(instrument),
      sessionsMax: intradaySessions,
      underWay: () => board.quote(instrument)?.bar,
      onLoad,
    });
  }
}
