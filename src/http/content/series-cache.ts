import { LRUCache } from 'lru-cache';

import { adjustToLatest } from '../../domain/history/adjust-series.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { CloseSeries } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { HistoryReader } from '../../store/contract/history-store.ts';
import type { HistoryView } from '../../wire/params/history-view.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { Body } from './body.ts';
import { RenderedSeries, emptyBody } from './rendered-series.ts';

const wholeHistory = { from: firstEpochDay, to: lastEpochDay };

/** Reads series from a store. */
export type SeriesReader = Pick<HistoryReader, 'readSeries' | 'readBars'>;

/** What a body of closes is rendered from, and in which format. */
export interface SeriesForm extends HistoryView {
  readonly format: TableFormat;
}

/**
 * Rendered series, within a limit of bytes. Beyond it the least recently used is evicted. A series is
 * read at the first request for it in a form, once for all requests that wait for it.
 *
 * An adjusted series is on the basis of the latest session of its instrument: that of its quote, or of
 * its last close. It is rendered again when a quote of a session from the next ex date on arrives.
 *
 * The owner of a cache reports which instruments have changed ({@link invalidate}). A series that is
 * being read at that moment is given to the requests that wait for it, and not cached.
 */
export class SeriesCache {
  readonly #history: SeriesReader;
  readonly #actions: () => CorporateActions;
  readonly #sessionDay: (instrument: Instrument) => EpochDay | undefined;
  readonly #clock: Clock;
  readonly #instants: InstantTexts | undefined;
  readonly #cached: LRUCache<string, RenderedSeries>;
  readonly #empty = new Map<string, Body>();
  readonly #loading = new Map<string, Promise<RenderedSeries>>();
  /** The prefixes of all keys so far: one for each combination of format, adjustment and fields. */
  readonly #prefixes = new Set<string>();

  constructor(options: {
    readonly history: SeriesReader;
    /** Gives the corporate actions in force. The owner reports a change with {@link invalidate}. */
    readonly actions: () => CorporateActions;
    /** Gives the session day of the quote of an instrument. */
    readonly sessionDay: (instrument: Instrument) => EpochDay | undefined;
    readonly clock: Clock;
    /** Renders the instants of the closes. Without it, they cannot be requested. */
    readonly instants?: InstantTexts;
    readonly bytesMax: number;
  }) {
    this.#history = options.history;
    this.#actions = options.actions;
    this.#sessionDay = options.sessionDay;
    this.#clock = options.clock;
    this.#instants = options.instants;
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
  empty({ format, fields }: SeriesForm): Body {
    const key = `${format} ${fields.join()}`;
    const known = this.#empty.get(key) ?? emptyBody(format, fields);
    this.#empty.set(key, known);
    return known;
  }

  /** A cached series. */
  peek(instrument: Instrument, form: SeriesForm): RenderedSeries | undefined {
    const series = this.#cached.get(prefixOf(this.#inForce(instrument, form)) + instrument.ticker);
    if (series?.staleFrom === undefined) return series;
    const day = this.#sessionDay(instrument);
    return day !== undefined && day >= series.staleFrom ? undefined : series;
  }

  /**
   * Reads a series that is not cached.
   *
   * @throws StoreFault if it cannot be read. The next request tries again.
   */
  load(instrument: Instrument, requested: SeriesForm): Promise<RenderedSeries> {
    const form = this.#inForce(instrument, requested);
    const prefix = prefixOf(form);
    this.#prefixes.add(prefix);
    const key = prefix + instrument.ticker;
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const loading = this.#read(instrument, { key, form }).then(
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

  /** Drops the series of instruments whose closes or corporate actions have changed. */
  invalidate(tickers: readonly Ticker[]): void {
    for (const ticker of tickers) {
      for (const prefix of this.#prefixes) {
        const key = prefix + ticker;
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

  /** The form of a series. An adjusted series of an instrument without actions is the unadjusted one. */
  #inForce({ ticker }: Instrument, form: SeriesForm): SeriesForm {
    if (form.adjustment === 'none' || this.#actions().of(ticker).length > 0) return form;
    return { ...form, adjustment: 'none' };
  }

  async #read(
    instrument: Instrument,
    { key, form }: { readonly key: string; readonly form: SeriesForm },
  ): Promise<RenderedSeries> {
    const { format, adjustment, fields } = form;
    const { ticker, currency } = instrument;
    const series: CloseSeries = fields.every((field) => field === 'instant')
      ? await this.#history.readSeries(ticker, wholeHistory)
      : await this.#history.readBars(ticker, wholeHistory);
    const { adjusted, staleFrom } = adjustToLatest(series, {
      actions: this.#actions().of(ticker),
      adjustment,
      currency,
      sessionDay: this.#sessionDay(instrument),
    });
    return new RenderedSeries(instrument, adjusted, {
      format,
      fields,
      instants: this.#instants,
      staleFrom,
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

/**
 * What precedes the ticker in the key of a series: nothing for the usual form. No ticker has a line feed,
 * so all keys differ.
 */
function prefixOf({ format, adjustment, fields }: SeriesForm): string {
  if (format === 'json' && adjustment === 'none' && fields.length === 0) return '';
  return `${format} ${adjustment} ${fields.join()}\n`;
}
