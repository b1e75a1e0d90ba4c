import type { Instrument } from './instrument.ts';
import { SessionCalendar } from './session-calendar.ts';
import type { Universe } from './universe.ts';

/** The calendars of a universe. The instruments of a market share one. */
export class MarketCalendars {
  readonly #calendars: ReadonlyMap<string, SessionCalendar>;

  constructor({ markets }: Pick<Universe, 'markets'>) {
    this.#calendars = new Map(
      [...markets].map(([code, market]) => [code, new SessionCalendar(market)]),
    );
  }

  /** The calendar of an instrument's market. */
  of({ market }: Instrument): SessionCalendar {
    const calendar = this.#calendars.get(market);
    if (calendar === undefined) throw new Error(`no market ${market}`);
    return calendar;
  }
}
