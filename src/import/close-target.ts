import { hasUnits } from '../domain/action-evidence.ts';
import type { CorporateActions } from '../domain/corporate-actions.ts';
import { rulesOf } from '../domain/instrument.ts';
import type { Instrument } from '../domain/instrument.ts';
import { fromEpochDay, toEpochDay } from '../domain/plain-date.ts';
import type { EpochDay, PlainDate } from '../domain/plain-date.ts';
import { SessionCalendar } from '../domain/session-calendar.ts';
import type { Universe } from '../domain/universe.ts';
import type { MoveRules } from './jumps.ts';

/** The days on which a market can have a close, as of one instant. */
export interface CloseDays {
  /** The current date in the market's time zone. */
  readonly today: EpochDay;
  /** The last day whose session is over (contract 2.6.4). */
  readonly lastOver: EpochDay;
  isSession(day: EpochDay): boolean;
}

/** An instrument to import closes for, with the rules for its closes. */
export interface CloseTarget extends MoveRules {
  readonly instrument: Instrument;
  readonly isPrice: boolean;
  readonly hasVolume: boolean;
  readonly days: CloseDays;
}

/** The target of each instrument. One object serves a whole import, so all of it has one "now". */
export class CloseTargets {
  readonly #universe: Universe;
  readonly #now: number;
  readonly #actions: CorporateActions;
  readonly #targets = new Map<Instrument, CloseTarget>();
  readonly #days = new Map<string, CloseDays>();

  constructor(universe: Universe, now: number, actions: CorporateActions) {
    this.#universe = universe;
    this.#now = now;
    this.#actions = actions;
  }

  of(instrument: Instrument): CloseTarget {
    const known = this.#targets.get(instrument);
    if (known !== undefined) return known;
    const { isPrice, hasVolume, jumpLimitPct } = rulesOf(instrument);
    const days = this.#daysOf(instrument);
    const target = {
      instrument,
      isPrice,
      hasVolume,
      jumpLimitPct,
      hasUnits: hasUnits(instrument.kind),
      actions: this.#actions.of(instrument.ticker),
      days,
    };
    this.#targets.set(instrument, target);
    return target;
  }

  #daysOf(instrument: Instrument): CloseDays {
    const known = this.#days.get(instrument.market);
    if (known !== undefined) return known;
    const market = this.#universe.marketOf(instrument);
    const calendar = new SessionCalendar(market);
    const date = Temporal.Instant.fromEpochMilliseconds(this.#now)
      .toZonedDateTimeISO(market.timeZone)
      .toPlainDate()
      .toString() as PlainDate;
    const today = toEpochDay(date);
    const isOver = this.#now >= calendar.closesAt(fromEpochDay(today));
    const days: CloseDays = {
      today,
      lastOver: isOver ? today : ((today - 1) as EpochDay),
      isSession: (day) => calendar.isSessionDay(day),
    };
    this.#days.set(instrument.market, days);
    return days;
  }
}
