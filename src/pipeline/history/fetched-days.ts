import type { Market } from '../../domain/calendar/market.ts';
import {
  toEpochDay,
  type EpochDay,
  type PlainDate,
  utcDayOf,
} from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { barSettleMs } from '../../feeds/contract/history-source.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { CloseReader, DayRange } from '../../store/contract/history-store.ts';
import type { LackingDays } from './lacking-days.ts';

/**
 * Gives the session days of an instrument from a first day on, up to the last one whose bar is final at a source,
 * ascending. A bond or a bill has none from its maturity on.
 */
export function sessionDaysFrom(
  from: PlainDate,
  { universe, clock }: { readonly universe: Universe; readonly clock: Pick<Clock, 'now'> },
): (ticker: Ticker) => readonly EpochDay[] {
  const ofMarket = rememberedWith((market: Market): readonly EpochDay[] => {
    const calendar = new SessionCalendar(market);
    const last = toEpochDay(calendar.lastSessionOver(clock.now(), barSettleMs));
    const sessions: EpochDay[] = [];
    for (let day = toEpochDay(from); day <= last; day = (day + 1) as EpochDay) {
      if (calendar.isSessionDay(day)) sessions.push(day);
    }
    return sessions;
  });
  return (ticker) => {
    const instrument = universe.get(ticker);
    const sessions = ofMarket(universe.marketOf(instrument));
    if (instrument.maturity === undefined) return sessions;
    const maturity = toEpochDay(instrument.maturity);
    return sessions.filter((day) => day < maturity);
  };
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

/**
 * Number of session days before a close of a later source that are requested with it. They show whether
 * both sources are on one basis.
 */
const daysBefore = 5;

/** Closes of another Pizarra are read again for this many days, because it may have corrected them. */
const correctedDays = 31;

/** An instrument without a close, or with session days without a close after its first close. */
export interface MissingCloses {
  readonly ticker: Ticker;
  /** Undefined: it has no close at all. */
  readonly gaps: { readonly days: number; readonly last: EpochDay } | undefined;
}

/** The days of an instrument that a source is asked for. */
export interface WantedDays {
  /** Ascending. */
  readonly days: readonly EpochDay[];
  /** The range to request. */
  readonly range: DayRange;
}

/** The session days that a fetch covers, and what is stored of them. */
export function fetchedDays(
  { from, correctedFrom }: { readonly from: PlainDate; readonly correctedFrom?: PlainDate },
  {
    history,
    universe,
    clock,
    order,
    lacking,
  }: {
    readonly history: CloseReader;
    readonly universe: Universe;
    readonly clock: Clock;
    readonly order: SourceOrder;
    readonly lacking: LackingDays;
  },
) {
  const sessionsOf = sessionDaysFrom(from, { universe, clock });
  /** Closes of another Pizarra are read again from this day on. */
  const copiedFrom =
    correctedFrom === undefined ? utcDayOf(clock.now()) - correctedDays : toEpochDay(correctedFrom);
  /** The stored closes from the first to the last session. */
  const closesOf = async (ticker: Ticker): Promise<readonly DailyClose[]> => {
    const range = rangeOf(sessionsOf(ticker));
    return range === undefined ? [] : await history.readCloses(ticker, range);
  };
  return {
    /** The session days of an instrument, ascending. */
    sessionsOf,
    /**
     * The days that a source is asked for: those without a stored close, and those whose close is of a
     * source that comes later in the configuration. Days that the source is known to lack are left out.
     * Another Pizarra is asked again for its closes of the last month, and from the day on that the operator
     * names, because it may have corrected them. Undefined when there are none.
     */
    async wantedOf(
      source: string,
      ticker: Ticker,
      { isCopy = false }: { readonly isCopy?: boolean } = {},
    ): Promise<WantedDays | undefined> {
      const sessions = sessionsOf(ticker);
      const stored = new Map((await closesOf(ticker)).map((one) => [one.day, one]));
      const known = lacking.daysOf(source, ticker);
      const days = sessions.filter((day) => {
        const close = stored.get(day);
        if (close === undefined) return !known.has(day);
        if (isCopy && close.source === source) return day >= copiedFrom;
        return order.isPreferred(source, close.source) && !known.has(day);
      });
      const range = rangeOf(days);
      if (range === undefined) return undefined;
      if (!stored.has(range.from)) return { days, range };
      const first = sessions.indexOf(range.from);
      const start = sessions[Math.max(0, first - daysBefore)] ?? range.from;
      return { days, range: { from: start, to: range.to } };
    },
    /** Undefined for an instrument that lacks nothing. */
    async missingOf(ticker: Ticker): Promise<MissingCloses | undefined> {
      const closes = await closesOf(ticker);
      const stored = new Set(closes.map(({ day }) => day));
      const first = closes[0]?.day;
      const unstored = sessionsOf(ticker).filter((day) => !stored.has(day));
      if (unstored.length === 0) return undefined;
      if (first === undefined) return { ticker, gaps: undefined };
      const gaps = unstored.filter((day) => day > first);
      const last = gaps.at(-1);
      return last === undefined ? undefined : { ticker, gaps: { days: gaps.length, last } };
    },
  };
}
