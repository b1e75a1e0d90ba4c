import { fromEpochDay, type EpochDay, msPerDay } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { ZoneOffsets } from '../../lib/time/zone-offsets.ts';

const msPerMinute = 60_000;
const msPerSecond = 1_000;

/** The public name of the field with an instant. */
export const instantName = 'instante';

/**
 * The texts of `instante`: an instant in whole seconds with the offset of the instrument's market (RFC
 * 3339). So its first ten characters are the date of the session, which a tool that reads only the date
 * relies on.
 */
export class InstantTexts {
  readonly #calendars: MarketCalendars;
  readonly #offsets: ReadonlyMap<SessionCalendar, ZoneOffsets>;

  constructor(universe: Pick<Universe, 'markets'>) {
    this.#calendars = new MarketCalendars(universe);
    const calendars = [...this.#calendars.byMarket.values()];
    this.#offsets = new Map(
      calendars.map((calendar) => [calendar, new ZoneOffsets(calendar.market.timeZone)]),
    );
  }

  /** The text of an instant, in epoch milliseconds. */
  at(instrument: Instrument, epochMs: number): string {
    return this.#offsetsOf(this.#calendars.of(instrument)).text(epochMs);
  }

  /**
   * The text of the nominal close of a session, early closes included. A market that closes at 24:00 closes
   * a second earlier here, because 24:00 is a time of the next day.
   */
  ofClose(instrument: Instrument, day: EpochDay): string {
    const calendar = this.#calendars.of(instrument);
    const { closeMinute } = calendar.hoursOf(fromEpochDay(day));
    const closeMs = Math.min(closeMinute * msPerMinute, msPerDay - msPerSecond);
    return this.#offsetsOf(calendar).localText(day * msPerDay + closeMs);
  }

  #offsetsOf(calendar: SessionCalendar): ZoneOffsets {
    const offsets = this.#offsets.get(calendar);
    if (offsets === undefined) throw new Error(`no offsets of ${calendar.market.code}`);
    return offsets;
  }
}

/** Of no market: for what has the fields of a table, and no rows with instants. */
export const noInstants = new InstantTexts({ markets: new Map() });
