import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { Market } from '../../domain/calendar/market.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { barSettleMs } from '../../feeds/contract/history-source.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { DayRange } from '../../store/contract/history-store.ts';

/** The session days of each market from a first day on, of which sources have final bars. */
export class SessionDays {
  readonly #from: EpochDay;
  readonly #universe: Universe;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(
    from: PlainDate,
    { universe, clock }: { readonly universe: Universe; readonly clock: Pick<Clock, 'now'> },
  ) {
    this.#from = toEpochDay(from);
    this.#universe = universe;
    this.#clock = clock;
  }

  /**
   * The session days up to the last one whose bar is final, ascending. A bond or a bill has none from its
   * maturity on.
   */
  of(ticker: Ticker): readonly EpochDay[] {
    const instrument = this.#universe.get(ticker);
    const sessions = this.#ofMarket(this.#universe.marketOf(instrument));
    if (instrument.maturity === undefined) return sessions;
    const maturity = toEpochDay(instrument.maturity);
    return sessions.filter((day) => day < maturity);
  }

  readonly #ofMarket = rememberedWith((market: Market): readonly EpochDay[] => {
    const calendar = new SessionCalendar(market);
    const last = toEpochDay(calendar.lastSessionOver(this.#clock.now(), barSettleMs));
    const sessions: EpochDay[] = [];
    for (let day = this.#from; day <= last; day = (day + 1) as EpochDay) {
      if (calendar.isSessionDay(day)) sessions.push(day);
    }
    return sessions;
  });
}

/** The range of ascending days. Undefined for none. */
export function rangeOf(days: readonly EpochDay[]): DayRange | undefined {
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The closes of session days, and the other closes between the first and the last session. */
export function onSessions(
  all: readonly DailyClose[],
  sessions: readonly EpochDay[],
): { readonly closes: readonly DailyClose[]; readonly outside: readonly DailyClose[] } {
  const range = rangeOf(sessions);
  if (range === undefined) return { closes: [], outside: [] };
  const days = new Set(sessions);
  const within = all.filter(({ day }) => day >= range.from && day <= range.to);
  return {
    closes: within.filter(({ day }) => days.has(day)),
    outside: within.filter(({ day }) => !days.has(day)),
  };
}
