import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import {
  fromEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';

const minutesPerDay = 1_440;

/** The days on which a market can have a close, as of one instant. */
export interface CloseDays {
  /** The current date in the market's time zone. */
  readonly today: EpochDay;
  /** The last day whose session is over (contract 2.6.4). */
  readonly lastOver: EpochDay;
  isSession(day: EpochDay): boolean;
  /** The time zone of the market. */
  readonly timeZone: string;
  /** The opening hours on a day, in minutes since local midnight. */
  hoursOf(day: EpochDay): { readonly openMinute: number; readonly closeMinute: number };
}

/** An instrument to import closes for, with the rules for its closes. */
export interface CloseTarget {
  readonly instrument: Instrument;
  readonly isPrice: boolean;
  readonly hasVolume: boolean;
  /** The recorded actions, ascending by ex date. */
  readonly actions: readonly CorporateAction[];
  readonly days: CloseDays;
  /** The first day of the new ticker, for an old ticker that the universe does not have. */
  readonly before?: EpochDay | undefined;
}

/** The target of each instrument. One object serves a whole import, so all of it has one "now". */
export class CloseTargets {
  readonly #universe: Universe;
  readonly #now: number;
  #actions: CorporateActions;
  readonly #targets = new Map<Instrument, CloseTarget>();
  readonly #days = new Map<string, CloseDays>();

  constructor(universe: Universe, now: number, actions: CorporateActions) {
    this.#universe = universe;
    this.#now = now;
    this.#actions = actions;
  }

  /** The target of a trial whose instrument only the operator knows: it accepts every close. */
  get anyone(): CloseTarget {
    const instrument: Instrument = {
      ticker: 'TICKER' as Ticker,
      name: '',
      kind: 'spread',
      market: '',
      currency: '',
      decimals: 4,
      changeUnit: 'points',
      pricePer: 1,
      position: -1,
    };
    const everyDay: CloseDays = {
      today: lastEpochDay,
      lastOver: lastEpochDay,
      isSession: () => true,
      timeZone: 'UTC',
      hoursOf: () => ({ openMinute: 0, closeMinute: minutesPerDay }),
    };
    return { instrument, isPrice: false, hasVolume: true, actions: [], days: everyDay };
  }

  of(instrument: Instrument): CloseTarget {
    return this.#targets.getOrInsertComputed(instrument, () => {
      const { ticker } = instrument;
      const { isPrice, hasVolume } = rulesOf(instrument);
      const isOld = this.#universe.find(ticker) === undefined;
      const actionsNow = () => this.#actions;
      return {
        instrument,
        isPrice,
        hasVolume,
        get actions() {
          return actionsNow().of(ticker);
        },
        days: this.#daysOf(instrument),
        before: isOld ? this.#actions.endOf(ticker) : undefined,
      };
    });
  }

  /** From now on, all targets have these actions too. */
  record(added: readonly CorporateAction[]): void {
    this.#actions = this.#actions.with(added);
  }

  #daysOf(instrument: Instrument): CloseDays {
    return this.#days.getOrInsertComputed(instrument.market, () => {
      const market = this.#universe.marketOf(instrument);
      const calendar = new SessionCalendar(market);
      const date = Temporal.Instant.fromEpochMilliseconds(this.#now)
        .toZonedDateTimeISO(market.timeZone)
        .toPlainDate()
        .toString() as PlainDate;
      const today = toEpochDay(date);
      const isOver = this.#now >= calendar.closesAt(date);
      return {
        today,
        lastOver: isOver ? today : ((today - 1) as EpochDay),
        isSession: (day) => calendar.isSessionDay(day),
        timeZone: market.timeZone,
        hoursOf: (day) => calendar.hoursOf(fromEpochDay(day)),
      };
    });
  }
}
