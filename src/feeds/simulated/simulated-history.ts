import type { DailyClose } from '../../domain/history/daily-close.ts';
import { derivedValue, inputsOf } from '../../domain/instruments/derivation.ts';
import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import {
  addDays,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { DerivedInstrument, Universe } from '../../domain/instruments/universe.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { IndexSource } from '../contract/history-source.ts';
import { Factors } from './recipes/factor.ts';
import { SimulatedIndices } from './recipes/simulated-indices.ts';
import type { SimulatedConfig } from './simulated-feed.ts';
import { SimulatedMarket } from './simulated-market.ts';

/** Length of the simulated history, in days. */
const historyDays = 2 * 365;

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

/** Number of days by which the indices begin before the closes. Bonds need the index of ten business days before. */
const daysAhead = 60;

/**
 * The values of an index that are published at an instant, for two years and for what bonds need on their first
 * day. None in a universe without the market of the central bank or that of settlements.
 *
 * @param from the first day, if it is not that of the history
 * @param now in epoch milliseconds
 */
export function simulatedIndexValues(
  universe: Universe,
  index: IndexName,
  { seed, from, now }: { readonly seed: number; readonly from?: PlainDate; readonly now: number },
): readonly DayValue[] {
  const calendar = settlementCalendar(universe);
  if (calendar === undefined) return [];
  const first = addDays(calendar.dateAt(now), -historyDays - daysAhead);
  const indices = new SimulatedIndices(new Factors(seed), seed);
  const start = from !== undefined && from > first ? from : first;
  return indices.published(index, { from: start, now, calendar });
}

/** Publishes the simulated values of every index, as they come out. */
export function createSimulatedIndices(
  { name, seed }: SimulatedConfig,
  { universe, clock }: Pick<FeedDeps, 'universe' | 'clock'>,
): IndexSource {
  return {
    name,
    indices: indexNames,
    spacingMs: 0,
    async fetch({ index, from }) {
      const values = simulatedIndexValues(universe, index, { seed, from, now: clock.now() });
      return { values, rejected: [] };
    },
  };
}
