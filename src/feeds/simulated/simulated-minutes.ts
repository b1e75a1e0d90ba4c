import { derivedValue, type Derivation } from '../../domain/instruments/derivation.ts';
import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import { msPerMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { fitBars, type SessionFigures } from './fit-bars.ts';
import { roundedPrice } from './recipes/rounded-price.ts';
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
