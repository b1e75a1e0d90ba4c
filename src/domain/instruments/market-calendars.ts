import type { Instrument } from './instrument.ts';
import { SessionCalendar } from '../calendar/session-calendar.ts';
import type { Universe } from './universe.ts';

/** The calendars of a universe. The instruments of a market share one. */
export class MarketCalendars {
  /** By the code of the market, in the order of the universe. */
  readonly byMarket: ReadonlyMap<string, SessionCalendar>;

  constructor({ markets }: Pick<Universe, 'markets'>) {
    this.byMarket = new Map(
      [...markets].map(([code, market]) => [code, new SessionCalendar(market)]),
    );
  }

  /** The calendar of an instrument's market. */
  of({ market }: Instrument): SessionCalendar {
    const calendar = this.byMarket.get(market);
    if (calendar === undefined) throw new Error(`no market ${market}`);
    return calendar;
  }
}
