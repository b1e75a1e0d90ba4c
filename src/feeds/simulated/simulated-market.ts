import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { Noise } from '../../lib/numbers/noise.ts';
import { Factors, type Moment, type Weights } from './recipes/factor.ts';
import { roundedPrice, type Recipe } from './recipes/recipe.ts';
import { recipesFor } from './recipes/recipes.ts';
import { SimulatedIndices } from './recipes/simulated-indices.ts';

/** The price and volume of an instrument at a moment. */
export interface SimulatedPrice {
  readonly last: number;
  /** Volume of the session so far; undefined where the kind has none. */
  readonly volume: number | undefined;
}

/** The prices of a session at its full minutes, from the open to the close. */
export interface SimulatedPath {
  /** In epoch milliseconds. */
  readonly opensAt: number;
  readonly prices: Float64Array;
  /** The volume of the session so far. Undefined where the kind has none. */
  readonly volumes: Float64Array | undefined;
}

/** The latest moment of a market. */
interface HeldMoment {
  readonly epochMs: number;
  readonly sessionOf: number;
  readonly moment: Moment;
}

/** The session whose range is requested. */
interface RangeRequest {
  readonly day: EpochDay;
  readonly previousClose: number;
  readonly close: number;
}

/** The first, highest and lowest price of a session. */
interface SimulatedRange {
  readonly open: number;
  readonly high: number;
  readonly low: number;
}

/** Number of instruments whose trades of a day differ. */
const instrumentsMax = 2 ** 16;

/** The largest gap from a close to the next open, as a share of the price. */
const gapMax = 0.008;

/** The largest distance of high and low from open and close, as a share of the price. */
const reachMax = 0.006;

/**
 * A simulated market. Every price is a function of the seed and the moment alone, so no state is
 * stored: history can be computed for any day, live prices continue it, and a restart makes no
 * difference.
 */
export class SimulatedMarket {
  readonly universe: Universe;
  /** The simulated instruments: all but the derived ones. */
  readonly instruments: readonly Instrument[];
  readonly #recipes: ReadonlyMap<Instrument, Recipe>;
  readonly #factors: Factors;
  readonly #calendars: MarketCalendars;
  readonly #moments = new Map<string, HeldMoment>();
  readonly #volumes: Noise;
  readonly #trades: Noise;
  readonly #ranges: Noise;

  constructor(universe: Universe, seed: number) {
    this.universe = universe;
    this.#factors = new Factors(seed);
    const derived = new Set(universe.derived.map(({ instrument }) => instrument));
    this.instruments = universe.instruments.filter((one) => !derived.has(one));
    const indices = new SimulatedIndices(this.#factors, seed);
    this.#recipes = recipesFor(universe, {
      seed,
      indexValues: (index, day) => indices.valueOn(index, toEpochDay(day)),
    });
    this.#calendars = new MarketCalendars(universe);
    this.#volumes = new Noise(seed, 'volumes');
    this.#trades = new Noise(seed, 'trades');
    this.#ranges = new Noise(seed, 'ranges');
  }

  /** The calendar of an instrument's market. */
  calendarOf(instrument: Instrument): SessionCalendar {
    return this.#calendars.of(instrument);
  }

  /** The price at an instant, in epoch milliseconds: that of the close while the market is closed. */
  at(instrument: Instrument, epochMs: number): SimulatedPrice {
    return this.#priceAt(instrument, this.#momentOf(instrument, epochMs));
  }

  /** The price at the end of a minute, which is the close for the last minute of a session. */
  atEndOf(instrument: Instrument, minute: number): SimulatedPrice {
    const of = minute * msPerMinute;
    return this.#priceAt(instrument, this.#momentOf(instrument, of + msPerMinute, of));
  }

  /** The closing price of a day's session. */
  closeOf(instrument: Instrument, day: EpochDay): SimulatedPrice {
    return this.#priceAt(instrument, { day, previousDay: day, progress: 1 });
  }

  /**
   * The range of a day's session, around its two closes. It costs a fraction of the path of the prices,
   * which a history of two years does not need.
   */
  rangeOf(
    { position, decimals }: Instrument,
    { day, previousClose, close }: RangeRequest,
  ): SimulatedRange {
    const gap = gapMax * (2 * this.#ranges.uniform(position, 3 * day) - 1);
    const above = reachMax * this.#ranges.uniform(position, 3 * day + 1);
    const below = reachMax * this.#ranges.uniform(position, 3 * day + 2);
    const open = roundedPrice(previousClose * (1 + gap), decimals);
    return {
      open,
      high: Math.max(open, close, roundedPrice(Math.max(open, close) * (1 + above), decimals)),
      low: Math.min(open, close, roundedPrice(Math.min(open, close) * (1 - below), decimals)),
    };
  }

  /** The prices of a whole session: those that {@link at} gives at its full minutes. */
  sessionPath(instrument: Instrument, date: PlainDate): SimulatedPath {
    const calendar = this.calendarOf(instrument);
    const [opensAt, closesAt] = [calendar.opensAt(date), calendar.closesAt(date)];
    const steps = Math.round((closesAt - opensAt) / msPerMinute);
    const day = toEpochDay(date);
    const session = { day, previousDay: toEpochDay(calendar.previousSession(date)), steps };
    const { level, weights, bond } = this.#recipeOf(instrument);
    const volumeAfter = this.#volumesOf(instrument, day);
    const logs = new Float64Array(steps + 1);
    const addFactors = (added: Weights, times: number): void => {
      for (const name in added) {
        const weight = times * (added[name] ?? 0);
        for (const [step, value] of this.#factors.get(name).pathOf(session).entries()) {
          logs[step] = (logs[step] ?? 0) + weight * value;
        }
      }
    };
    addFactors(weights, 1);
    if (bond !== undefined) {
      addFactors(bond.yieldWeights, -bond.worth.on(day).sensitivity);
      for (const [step, log] of logs.entries()) {
        const moment = { day, previousDay: session.previousDay, progress: step / steps };
        logs[step] = log + bond.worth.logAt(moment);
      }
    }
    return {
      opensAt,
      prices: logs.map((log) => roundedPrice(level * Math.exp(log), instrument.decimals)),
      volumes: rulesOf(instrument).hasVolume
        ? logs.map((_, step) => volumeAfter(step / steps))
        : undefined,
    };
  }

  /**
   * The moment of an instant. Cached per market: all its instruments are asked for one instant.
   *
   * @param sessionOf an instant of the session. At midnight, the session of the day before may be meant.
   */
  #momentOf(instrument: Instrument, epochMs: number, sessionOf = epochMs): Moment {
    const held = this.#moments.get(instrument.market);
    if (held?.epochMs === epochMs && held.sessionOf === sessionOf) return held.moment;
    const moment = momentAt(this.calendarOf(instrument), { epochMs, sessionOf });
    this.#moments.set(instrument.market, { epochMs, sessionOf, moment });
    return moment;
  }

  #priceAt(instrument: Instrument, moment: Moment): SimulatedPrice {
    const { level, weights, bond } = this.#recipeOf(instrument);
    let log = this.#sumAt(weights, moment);
    if (bond !== undefined) {
      const { sensitivity } = bond.worth.on(moment.day);
      log += bond.worth.logAt(moment) - sensitivity * this.#sumAt(bond.yieldWeights, moment);
    }
    const last = roundedPrice(level * Math.exp(log), instrument.decimals);
    const hasVolume = rulesOf(instrument).hasVolume;
    if (!hasVolume) return { last, volume: undefined };
    return { last, volume: this.#volumesOf(instrument, moment.day)(moment.progress) };
  }

  #recipeOf(instrument: Instrument): Recipe {
    const recipe = this.#recipes.get(instrument);
    if (recipe === undefined) throw new Error(`${instrument.ticker} is of another universe`);
    return recipe;
  }

  /** Gives the volume that is traded when a part of a day's session is done. It never decreases. */
  #volumesOf({ position }: Instrument, day: EpochDay): (progress: number) => number {
    const usual = 1000 * 1000 ** this.#volumes.uniform(position, -1);
    const ofDay = usual * Math.exp(0.4 * this.#volumes.normal(position, day));
    return (progress) => {
      const done = this.#trades.growth(day * instrumentsMax + position, progress);
      // Trading is heavier at the open and at the close than at noon.
      return Math.round(ofDay * done * (1.2 - 0.6 * done + 0.4 * done ** 2));
    };
  }

  #sumAt(weights: Weights, moment: Moment): number {
    return this.#factors.sum(weights, (factor) => factor.at(moment));
  }
}

function momentAt(
  calendar: SessionCalendar,
  { epochMs, sessionOf }: Omit<HeldMoment, 'moment'>,
): Moment {
  const date = calendar.sessionAt(sessionOf);
  const [opensAt, closesAt] = [calendar.opensAt(date), calendar.closesAt(date)];
  const day = toEpochDay(date);
  const previousDay = toEpochDay(calendar.previousSession(date));
  const progress = Math.min((epochMs - opensAt) / (closesAt - opensAt), 1);
  return { day, previousDay, progress };
}
