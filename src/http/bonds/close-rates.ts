import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type {
  ConversionDollar,
  ConversionRate,
  ConversionRates,
} from '../../domain/dollars/conversion-rates.ts';
import { referenceBond, wholesaleTicker } from '../../domain/dollars/dollar.ts';
import { rateAgeDaysMax } from '../../domain/history/convert-series.ts';
import { rowsBefore, type CloseSeries } from '../../domain/history/daily-close.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { instrumentClasses } from '../../domain/instruments/instrument-classes.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { makeQuote, type Quote } from '../../domain/quotes/quote.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import type { SeriesReader } from '../history/read-table.ts';

/** The dollars by which the closes of bonds are converted: those of quotes (contract 4.10.5), at the close of a session. */
export class CloseRates {
  /** The instruments whose closes they follow from. */
  readonly instruments: readonly Instrument[];
  readonly #rates: ConversionRates;

  constructor(universe: Universe, rates: ConversionRates) {
    this.#rates = rates;
    const reference = instrumentClasses(universe.instruments).find(
      ({ pesos }) => pesos.ticker === referenceBond,
    );
    const wholesale = universe.find(wholesaleTicker);
    this.instruments = [reference?.pesos, reference?.mep, reference?.cable, wholesale].filter(
      (one) => one !== undefined,
    );
  }

  /**
   * Reads the closes of a range, and gives the rate at the close of a session.
   *
   * @throws StoreFault if the store cannot be read.
   */
  async read(
    dollar: ConversionDollar,
    { from, to }: DayRange,
    { history, indices }: { readonly history: SeriesReader; readonly indices: IndexSeries },
  ): Promise<(day: EpochDay) => ConversionRate> {
    // The wholesale dollar may be that of the business day before.
    const range = { from: (from - rateAgeDaysMax) as EpochDay, to };
    const all = await Promise.all(
      (dollar === 'a3500' ? [] : this.instruments).map(
        async (one) => [one, await history.readSeries(one.ticker, range)] as const,
      ),
    );
    return (day) => {
      // A quote is judged once, so it has to be the same object each time.
      const quotes = new Map(all.map(([one, series]) => [one, lastQuote(one, series, day)]));
      const known = { quoteOf: (one: Instrument) => quotes.get(one), indices };
      return this.#rates.of(dollar, { day: fromEpochDay(day), isQuoted: true }, known);
    };
  }
}

/** The last close up to a day, as the quote of its session. */
function lastQuote(
  instrument: Instrument,
  { days, closes }: CloseSeries,
  day: EpochDay,
): Quote | undefined {
  const row = rowsBefore(days, day + 1) - 1;
  const last = closes[row];
  if (last === undefined) return undefined;
  const session = { sessionDate: fromEpochDay(days[row] as EpochDay), last, volume: null };
  return makeQuote(instrument, { version: 1, session, references: {} });
}
