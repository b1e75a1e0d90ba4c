import { rulesOf } from '../../domain/instrument.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { toEpochDay } from '../../domain/plain-date.ts';
import type { EpochDay } from '../../domain/plain-date.ts';
import { roundHalfAwayFromZero } from '../../domain/rounding.ts';
import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { Universe } from '../../domain/universe.ts';
import { Noise } from '../../lib/noise.ts';
import { Factor } from './factor.ts';
import type { Moment } from './factor.ts';
import { ownFactor, recipesFor, sharedFactors } from './recipes.ts';
import type { Recipe } from './recipes.ts';

/** What an instrument shows at a moment. */
export interface SimulatedPrice {
  readonly last: number;
  /** Of the session so far; undefined where the kind has none. */
  readonly volume: number | undefined;
}

/**
 * A made-up market: every price is a function of the seed and the moment, and of nothing else. So
 * nothing has to be kept: history can be asked for any day, live prices begin where it ends, and a
 * restart, however late, goes on as if there had been none.
 */
export class SimulatedMarket {
  readonly universe: Universe;
  /** What is simulated: all that is not derived. */
  readonly instruments: readonly Instrument[];
  readonly #seed: number;
  readonly #recipes: ReadonlyMap<Instrument, Recipe>;
  readonly #factors = new Map<string, Factor>();
  readonly #calendars: ReadonlyMap<string, SessionCalendar>;
  readonly #moments = new Map<string, { readonly epochMs: number; readonly moment: Moment }>();
  readonly #volumes: Noise;

  constructor(universe: Universe, seed: number) {
    this.universe = universe;
    this.#seed = seed;
    const derived = new Set(universe.derived.map(({ instrument }) => instrument));
    this.instruments = universe.instruments.filter((one) => !derived.has(one));
    this.#recipes = recipesFor(universe, seed);
    this.#calendars = new Map(
      [...universe.markets].map(([code, market]) => [code, new SessionCalendar(market)]),
    );
    this.#volumes = new Noise(seed, 'volumes');
  }

  /** The calendar of an instrument's market. */
  calendarOf(instrument: Instrument): SessionCalendar {
    const calendar = this.#calendars.get(instrument.market);
    if (calendar === undefined) throw new Error(`no market ${instrument.market}`);
    return calendar;
  }

  /** The price at an instant, in epoch milliseconds, whether the market is open or not. */
  at(instrument: Instrument, epochMs: number): SimulatedPrice {
    return this.#priceAt(instrument, this.#momentOf(instrument, epochMs));
  }

  /** The price with which the session of a day ends. */
  closeOf(instrument: Instrument, day: EpochDay): SimulatedPrice {
    return this.#priceAt(instrument, { day, previousDay: day, progress: 1 });
  }

  /** All instruments of a market are asked for the same instant, one after the other. */
  #momentOf(instrument: Instrument, epochMs: number): Moment {
    const held = this.#moments.get(instrument.market);
    if (held?.epochMs === epochMs) return held.moment;
    const moment = momentAt(this.calendarOf(instrument), epochMs);
    this.#moments.set(instrument.market, { epochMs, moment });
    return moment;
  }

  #priceAt(instrument: Instrument, moment: Moment): SimulatedPrice {
    const recipe = this.#recipes.get(instrument);
    if (recipe === undefined) throw new Error(`${instrument.ticker} is of another universe`);
    let log = 0;
    for (const name in recipe.weights) {
      log += (recipe.weights[name] ?? 0) * this.#factor(name).at(moment);
    }
    const last = rounded(recipe.level * Math.exp(log), instrument.decimals);
    const hasVolume = rulesOf(instrument).hasVolume;
    return { last, volume: hasVolume ? this.#volumeAt(instrument, moment) : undefined };
  }

  #volumeAt({ position }: Instrument, { day, progress }: Moment): number {
    const usual = 1000 * 1000 ** this.#volumes.uniform(position, -1);
    const ofDay = usual * Math.exp(0.4 * this.#volumes.normal(position, day));
    const done = Math.min(progress, 1);
    // More at the open and at the close than at noon; never less than before.
    return Math.round(ofDay * done * (1.2 - 0.6 * done + 0.4 * done ** 2));
  }

  #factor(name: string): Factor {
    const held = this.#factors.get(name);
    if (held !== undefined) return held;
    const factor = new Factor(this.#seed, name, sharedFactors[name] ?? ownFactor);
    this.#factors.set(name, factor);
    return factor;
  }
}

function momentAt(calendar: SessionCalendar, epochMs: number): Moment {
  const date = calendar.sessionAt(epochMs);
  const [opensAt, closesAt] = [calendar.opensAt(date), calendar.closesAt(date)];
  const day = toEpochDay(date);
  const previousDay = toEpochDay(calendar.previousSession(date));
  if (epochMs < closesAt) {
    return { day, previousDay, progress: (epochMs - opensAt) / (closesAt - opensAt) };
  }
  const nextOpensAt = calendar.opensAt(calendar.nextSession(date));
  // A market that closes when it opens again is never past its close.
  const gapMs = Math.max(nextOpensAt - closesAt, 1);
  return { day, previousDay, progress: 1 + (epochMs - closesAt) / gapMs };
}

/** As people see prices: whole from 10,000 on, else five digits, but two decimals at least. */
function rounded(price: number, decimalsMax: number): number {
  const digits = Math.floor(Math.log10(price));
  const decimals = digits >= 4 ? 0 : Math.max(2, 4 - digits);
  return roundHalfAwayFromZero(price, Math.min(decimals, decimalsMax));
}
