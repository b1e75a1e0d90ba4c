import { adjustToLatest } from '../../domain/history/adjust-series.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
} from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { cellsOfCloses, cellsOfQuote } from '../../wire/udf/chart-cells.ts';
import type { SeriesReader } from '../content/series-cache.ts';
import { Chart } from './chart.ts';
import { ChartPart } from './chart-part.ts';

const adjustment = 'splits';

/** The closes of an instrument, adjusted to the basis of one day. */
interface Closes {
  readonly part: ChartPart;
  readonly lastDay: EpochDay;
  /** The first session day of a quote with which they are on another basis. */
  readonly staleFrom: EpochDay | undefined;
}

/**
 * The daily bars of an instrument: its closes, adjusted for splits, and the session of its quote if it is
 * later than the last of them (contract 4.15.7). The closes are read at the first request. Its owner replaces
 * it when the closes or the corporate actions of the instrument change.
 */
export class DailyChart {
  readonly instrument: Instrument;
  readonly #history: Pick<SeriesReader, 'readBars'>;
  readonly #actions: () => CorporateActions;
  readonly #quote: () => Quote | undefined;
  readonly #onLoad: () => void;
  #closes: Closes | undefined;
  #loading: Promise<Closes> | undefined;
  #shown:
    | { readonly closes: Closes; readonly quote: Quote | undefined; readonly chart: Chart }
    | undefined;

  constructor(
    instrument: Instrument,
    parts: {
      readonly history: Pick<SeriesReader, 'readBars'>;
      /** Gives the corporate actions in force. */
      readonly actions: () => CorporateActions;
      /** Gives the latest quote, the same one while only its book changes. */
      readonly quote: () => Quote | undefined;
      /** Called when the closes have been read, which changes {@link bytesHeld}. */
      readonly onLoad: () => void;
    },
  ) {
    this.instrument = instrument;
    this.#history = parts.history;
    this.#actions = parts.actions;
    this.#quote = parts.quote;
    this.#onLoad = parts.onLoad;
  }

  /** Its approximate memory, in bytes. */
  get bytesHeld(): number {
    return this.#closes?.part.bytesHeld ?? 0;
  }

  /** The current bars. */
  current(): Chart | Promise<Chart> {
    const quote = this.#quote();
    const closes = this.#closes;
    if (closes !== undefined && !isStale(closes, quote)) return this.#chartOf(closes, quote);
    return this.#load().then((loaded) => this.#chartOf(loaded, this.#quote()));
  }

  #load(): Promise<Closes> {
    if (this.#loading !== undefined) return this.#loading;
    const loading = this.#read().finally(() => {
      this.#loading = undefined;
    });
    this.#loading = loading;
    return loading;
  }

  async #read(): Promise<Closes> {
    const { ticker, currency } = this.instrument;
    const series = await this.#history.readBars(ticker, { from: firstEpochDay, to: lastEpochDay });
    const actions = this.#actions().of(ticker);
    const quote = this.#quote();
    const lastDay = (series.days.at(-1) ?? firstEpochDay) as EpochDay;
    const sessionDay = quote && toEpochDay(quote.sessionDate);
    const { adjusted, staleFrom } = adjustToLatest(series, {
      actions,
      adjustment,
      currency,
      sessionDay,
    });
    this.#closes = {
      part: new ChartPart(cellsOfCloses(this.instrument, adjusted)),
      lastDay,
      staleFrom,
    };
    this.#onLoad();
    return this.#closes;
  }

  #chartOf(closes: Closes, quote: Quote | undefined): Chart {
    const shown = this.#shown;
    if (shown?.closes === closes && shown.quote === quote) return shown.chart;
    const isLater = quote !== undefined && toEpochDay(quote.sessionDate) > closes.lastDay;
    const parts = [closes.part, new ChartPart(isLater ? [cellsOfQuote(quote)] : [])];
    const chart = new Chart(this.instrument, parts);
    this.#shown = { closes, quote, chart };
    return chart;
  }
}

function isStale({ staleFrom }: Closes, quote: Quote | undefined): boolean {
  if (staleFrom === undefined || quote === undefined) return false;
  return toEpochDay(quote.sessionDate) >= staleFrom;
}
