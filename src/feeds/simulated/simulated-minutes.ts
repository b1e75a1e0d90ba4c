import { type PlainDate, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { type Derivation, derivedValue } from '../../domain/instruments/derivation.ts';
import { type Instrument, rulesOf } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { type Bar, msPerMinute } from '../../domain/quotes/minute-bar.ts';
import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import { roundedPrice } from './recipes/recipe.ts';
import { SimulatedMarket, type SimulatedPath } from './simulated-market.ts';

/** Maximum number of paths that are kept for derived instruments, which share inputs. */
const pathsMax = 64;

/**
 * The minutes of a simulated market as bars. Like its prices, they depend only on the seed and the moment.
 * The simulated feed of the same seed continues from them.
 */
export class SimulatedMinutes {
  readonly #market: SimulatedMarket;
  readonly #derivations: ReadonlyMap<Instrument, Derivation>;
  readonly #inputPaths = new Map<string, SimulatedPath | undefined>();

  constructor(universe: Universe, seed: number) {
    this.#market = new SimulatedMarket(universe, seed);
    this.#derivations = new Map(
      universe.derived.map(({ instrument, derivation }) => [instrument, derivation]),
    );
  }

  get universe(): Universe {
    return this.#market.universe;
  }

  /** The calendar of an instrument's market. */
  calendarOf(instrument: Instrument): SessionCalendar {
    return this.#market.calendarOf(instrument);
  }

  /**
   * The minutes of a session that is over, moved so that they agree with its daily figures.
   *
   * @param figures those that history has.
   */
  ofEndedSession(instrument: Instrument, date: PlainDate, figures: SessionFigures): readonly Bar[] {
    const { decimals } = instrument;
    const isDerived = this.#derivations.has(instrument);
    return fitBars(this.ofSession(instrument, date), figures, (price) =>
      isDerived ? roundHalfAwayFromZero(price, decimals) : roundedPrice(price, decimals),
    );
  }

  /**
   * The minutes of a session, up to an instant. Each one opens with the last price of the one before. Empty
   * for a derived instrument whose inputs give no value.
   *
   * @param until in epoch milliseconds. The minute that contains it is not included.
   */
  ofSession(instrument: Instrument, date: PlainDate, until = Number.POSITIVE_INFINITY): Bar[] {
    const path = this.#pathOf(instrument, date);
    if (path === undefined) return [];
    const { opensAt, prices, volumes } = path;
    const count = Math.min(prices.length - 1, Math.floor((until - opensAt) / msPerMinute));
    const day = toEpochDay(date);
    const first = Math.floor(opensAt / msPerMinute);
    return Array.from({ length: Math.max(count, 0) }, (_, index) => {
      const volume =
        volumes === undefined ? null : (volumes[index + 1] ?? 0) - (volumes[index] ?? 0);
      const [open, last] = [prices[index], prices[index + 1]];
      return barOf({ day, minute: first + index, volume }, open, last);
    });
  }

  #pathOf(instrument: Instrument, date: PlainDate): SimulatedPath | undefined {
    const derivation = this.#derivations.get(instrument);
    if (derivation === undefined) return this.#market.sessionPath(instrument, date);
    const calendar = this.calendarOf(instrument);
    const opensAt = calendar.opensAt(date);
    const minutes = Math.round((calendar.closesAt(date) - opensAt) / msPerMinute);
    const prices = new Float64Array(minutes + 1);
    for (let index = 0; index <= minutes; index += 1) {
      const at = opensAt + index * msPerMinute;
      const price = this.#derived(instrument, derivation, date, (input) =>
        this.#inputAt(input, date, at),
      );
      if (price === undefined) return undefined;
      prices[index] = price;
    }
    return { opensAt, prices, volumes: undefined };
  }

  /** The price of an input, from its path. Undefined outside its session. */
  #inputAt(instrument: Instrument, date: PlainDate, at: number): number | undefined {
    const key = `${date} ${instrument.ticker}`;
    let path = this.#inputPaths.get(key);
    if (path === undefined) {
      path = this.#pathOf(instrument, date);
      if (this.#inputPaths.size >= pathsMax) this.#inputPaths.clear();
      this.#inputPaths.set(key, path);
    }
    return path?.prices[(at - path.opensAt) / msPerMinute];
  }

  #derived(
    instrument: Instrument,
    derivation: Derivation,
    date: PlainDate,
    priceOf: (input: Instrument) => number | undefined,
  ): number | undefined {
    const value = derivedValue(derivation, date, (ticker) => priceOf(this.universe.get(ticker)));
    if (value === undefined) return undefined;
    const price = roundHalfAwayFromZero(value, instrument.decimals);
    return rulesOf(instrument).isPrice && price <= 0 ? undefined : price;
  }
}

function barOf(
  bar: Pick<Bar, 'day' | 'minute' | 'volume'>,
  open = Number.NaN,
  last = Number.NaN,
): Bar {
  return { ...bar, open, high: Math.max(open, last), low: Math.min(open, last), last };
}

/** What the minutes of a session must agree with. */
interface SessionFigures {
  readonly close: number;
  /** Null where the session has no volume. */
  readonly volume: number | null;
  /** Absent where it is not known. */
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
}

/**
 * Moves the minutes of a session, so that they agree with its daily figures: the first one opens at the open,
 * the last one ends at the close, the highest and the lowest price are the high and the low, and the volumes
 * add up to the volume. The shape of the path stays.
 *
 * @param bars ascending, each one opens with the last price of the one before.
 * @param rounded rounds a price as the instrument's prices are.
 */
export function fitBars(
  bars: readonly Bar[],
  figures: SessionFigures,
  rounded: (price: number) => number,
): readonly Bar[] {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return bars;
  const { close, open = first.open + close - last.last } = figures;
  // The open and the close are met by moving each price by a part that changes evenly over the session.
  const atOpen = open - first.open;
  const atClose = close - last.last;
  const moved = [first.open, ...bars.map((bar) => bar.last)].map(
    (price, index) => price + atOpen + ((atClose - atOpen) * index) / bars.length,
  );
  const fit = withinRange(moved, { open, close, high: figures.high, low: figures.low });
  const prices = moved.map((price, index) => {
    if (index === 0) return open;
    return index === bars.length ? close : rounded(fit(price));
  });
  const volumes = fitVolumes(bars, figures.volume);
  const fitted = bars.map((bar, index) => {
    const [from = Number.NaN, to = Number.NaN] = [prices[index], prices[index + 1]];
    return {
      ...bar,
      open: from,
      high: Math.max(from, to),
      low: Math.min(from, to),
      last: to,
      volume: volumes?.[index] ?? null,
    };
  });
  return withExtremes(fitted, figures);
}

/**
 * Gives the function that moves the prices beyond open and close, so that the highest becomes the high and
 * the lowest the low.
 */
function withinRange(
  prices: readonly number[],
  { open, close, high, low }: Omit<SessionFigures, 'volume'> & { readonly open: number },
): (price: number) => number {
  const [upper, lower] = [Math.max(open, close), Math.min(open, close)];
  const above = Math.max(...prices) - upper;
  const below = lower - Math.min(...prices);
  const up = high === undefined || above <= 0 ? 1 : (high - upper) / above;
  const down = low === undefined || below <= 0 ? 1 : (lower - low) / below;
  return (price) => {
    if (price > upper) return upper + (price - upper) * up;
    return price < lower ? lower - (lower - price) * down : price;
  };
}

/** Lets the highest minute reach the high, and the lowest one the low. Rounding may have kept them from it. */
function withExtremes(
  bars: readonly Bar[],
  { high = Number.NaN, low = Number.NaN }: SessionFigures,
): readonly Bar[] {
  const highest = bars.reduce((best, bar) => (bar.high > best.high ? bar : best));
  const lowest = bars.reduce((best, bar) => (bar.low < best.low ? bar : best));
  return bars.map((bar) => ({
    ...bar,
    high: bar === highest && high > bar.high ? high : bar.high,
    low: bar === lowest && low < bar.low ? low : bar.low,
  }));
}

/** The volumes in the proportion of those of the minutes. */
function fitVolumes(bars: readonly Bar[], volume: number | null): readonly number[] | undefined {
  if (volume === null) return undefined;
  const total = bars.reduce((sum, bar) => sum + (bar.volume ?? 0), 0);
  let traded = 0;
  let given = 0;
  return bars.map((bar, index) => {
    traded += bar.volume ?? 0;
    const isLast = index === bars.length - 1;
    const upTo = isLast ? volume : total === 0 ? 0 : Math.floor((volume * traded) / total);
    const own = upTo - given;
    given = upTo;
    return own;
  });
}
