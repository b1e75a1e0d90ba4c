import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';

/** When a source has something new: the session hours of the markets of its instruments. */
export class TradingHours {
  readonly #calendars: readonly SessionCalendar[];
  readonly #graceMs: number;

  /**
   * @param options.graceMs how long after a close the source may still send prices of the session: its
   *   delay and the time in which closing prices are settled.
   */
  constructor(
    universe: Universe,
    options: { readonly markets: ReadonlySet<string>; readonly graceMs: number },
  ) {
    this.#calendars = [...universe.markets.values()]
      .filter(({ code }) => options.markets.has(code))
      .map((market) => new SessionCalendar(market));
    this.#graceMs = options.graceMs;
  }

  /** Whether a session is open at an instant, or ended less than the grace time before. */
  isOpen(now: number): boolean {
    return this.#calendars.some(
      (calendar) => now < calendar.closesAt(calendar.sessionAt(now)) + this.#graceMs,
    );
  }

  /** When the next session of any market opens. Infinity without a market. */
  nextOpenAt(now: number): number {
    const opens = this.#calendars.map((calendar) =>
      calendar.opensAt(calendar.nextSession(calendar.sessionAt(now))),
    );
    return Math.min(...opens);
  }
}

/** The markets of instruments. */
export function marketsOf(universe: Universe, tickers: Iterable<Ticker>): ReadonlySet<string> {
  return new Set([...tickers].map((ticker) => universe.get(ticker).market));
}
