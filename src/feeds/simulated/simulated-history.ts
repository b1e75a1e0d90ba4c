import type { DailyClose } from '../../domain/history/daily-close.ts';
import { derivedValue, inputsOf } from '../../domain/instruments/derivation.ts';
import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import { fromEpochDay, toEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { DerivedInstrument, Universe } from '../../domain/instruments/universe.ts';
import { SimulatedMarket } from './simulated-market.ts';

/** Length of the simulated history, in days. */
export const historyDays = 2 * 365;

/** The simulated history of one instrument. */
interface SimulatedSeries {
  readonly ticker: Ticker;
  /** Ascending: one for each ended session. */
  readonly closes: readonly DailyClose[];
}

/**
 * Two years of closes up to an instant, for every instrument of the universe. Instruments that are
 * traded have the range of each session besides. An instrument has a close on each session day of its
 * market, up to the last ended session. The simulated feed of the same seed continues from these closes.
 * Closes of derived instruments are computed from the closes of their inputs.
 *
 * Yields one instrument at a time, so that the caller does not need all series in memory. Only the
 * inputs of derived instruments are kept.
 *
 * @param until in epoch milliseconds.
 * @param source that of the closes.
 */
export function* simulatedHistory(
  universe: Universe,
  {
    seed,
    until,
    source,
  }: { readonly seed: number; readonly until: number; readonly source: string },
): Iterable<SimulatedSeries> {
  const market = new SimulatedMarket(universe, seed);
  const inputs = new InputSeries(universe.derived);
  for (const instrument of market.instruments) {
    const closes = closesOf(market, instrument, { until, source });
    inputs.note(instrument.ticker, closes);
    yield { ticker: instrument.ticker, closes };
  }
  for (const derived of universe.derived) {
    const closes = inputs.derive(derived, source);
    inputs.note(derived.instrument.ticker, closes);
    yield { ticker: derived.instrument.ticker, closes };
  }
}

function closesOf(
  market: SimulatedMarket,
  instrument: Instrument,
  { until, source }: { readonly until: number; readonly source: string },
): readonly DailyClose[] {
  const calendar = market.calendarOf(instrument);
  let last = calendar.sessionAt(until);
  if (calendar.closesAt(last) > until) last = calendar.previousSession(last);
  const lastDay = toEpochDay(last);
  const closes: DailyClose[] = [];
  const sessionBefore = calendar.previousSession(fromEpochDay((lastDay - historyDays) as EpochDay));
  let { last: previousClose } = market.closeOf(instrument, toEpochDay(sessionBefore));
  for (let day = lastDay - historyDays; day <= lastDay; day += 1) {
    if (!calendar.isSessionDay(day as EpochDay)) continue;
    const { last: close, volume } = market.closeOf(instrument, day as EpochDay);
    const range = { day: day as EpochDay, previousClose, close };
    // What is published and not traded has no range.
    const traded = volume === undefined ? {} : market.rangeOf(instrument, range);
    closes.push({ day: day as EpochDay, close, volume: volume ?? null, ...traded, source });
    previousClose = close;
  }
  return closes;
}

/** The closes of the inputs of derived instruments, by day. */
class InputSeries {
  readonly #wanted: ReadonlySet<Ticker>;
  readonly #series = new Map<Ticker, ReadonlyMap<EpochDay, number>>();

  constructor(derived: readonly DerivedInstrument[]) {
    this.#wanted = new Set(derived.flatMap(({ derivation }) => inputsOf(derivation)));
  }

  note(ticker: Ticker, closes: readonly DailyClose[]): void {
    if (!this.#wanted.has(ticker)) return;
    this.#series.set(ticker, new Map(closes.map(({ day, close }) => [day, close])));
  }

  derive({ instrument, derivation }: DerivedInstrument, source: string): readonly DailyClose[] {
    const [first] = inputsOf(derivation);
    const days = first === undefined ? undefined : this.#series.get(first)?.keys();
    return [...(days ?? [])].flatMap((day) => {
      const value = derivedValue(derivation, fromEpochDay(day), (ticker) =>
        this.#series.get(ticker)?.get(day),
      );
      if (value === undefined) return [];
      const close = roundHalfAwayFromZero(value, instrument.decimals);
      return rulesOf(instrument).isPrice && close <= 0
        ? []
        : [{ day, close, volume: null, source }];
    });
  }
}
