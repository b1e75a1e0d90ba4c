import { remembered } from '../../lib/results/remembered.ts';
import { hoursOn, type Market, type SessionHours } from './market.ts';
import {
  addDays,
  fromEpochDay,
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from './plain-date.ts';

/** A session and the instants that delimit it, in epoch milliseconds. */
interface SessionSpan {
  readonly date: PlainDate;
  readonly opensAt: number;
  readonly closesAt: number;
  /** The end of the session's own day, in the market's time zone. */
  readonly dayEndsAt: number;
  /** The open of the next session. */
  readonly nextOpensAt: number;
}

/** Number of sessions a calendar caches. Fewer than this are in use at any one time. */
const spansRememberedMax = 8;

const minutesPerDay = 1440;

/**
 * The sessions and the settlement days of one market. The session of an instant is the last one that opened, so every
 * instant has exactly one. An instant before the open, after the close, at a weekend or on a
 * holiday is outside the hours of its session.
 *
 * The calendar is consulted for every update. It caches the latest sessions and compares numbers;
 * only the first instant of a session needs time-zone arithmetic.
 */
export class SessionCalendar {
  readonly market: Market;
  readonly #holidays: ReadonlySet<EpochDay>;
  readonly #unsettled: ReadonlySet<EpochDay>;
  readonly #oldestHours: SessionHours;
  /** The last sessions that were asked for, in any order. */
  readonly #spans: SessionSpan[] = [];
  #spanCount = 0;

  constructor(market: Market) {
    if (market.weekdays.size === 0) throw new Error(`market ${market.code} has no weekday`);
    const [oldestHours] = market.hours;
    if (oldestHours === undefined) throw new Error(`market ${market.code} has no hours`);
    this.#oldestHours = oldestHours;
    this.market = market;
    this.#holidays = new Set([...market.holidays.keys()].map(toEpochDay));
    this.#unsettled = new Set([...market.unsettled].map(toEpochDay));
  }

  /** The date of the last session that had opened at an instant, in epoch milliseconds. */
  sessionAt(epochMs: number): PlainDate {
    return this.#spanAt(epochMs).date;
  }

  /**
   * Whether an instant is within the hours of its session: from the open to `graceMs` after the
   * close, and on the session's own day. Session date and local time together then identify the
   * instant (contract 2.6.1).
   */
  isWithinSession(epochMs: number, graceMs: number): boolean {
    const { closesAt, dayEndsAt } = this.#spanAt(epochMs);
    return epochMs <= closesAt + graceMs && epochMs < dayEndsAt;
  }

  /** Whether the market is open at an instant: from the open until just before the close. */
  stateAt(epochMs: number): 'open' | 'closed' {
    return epochMs < this.#spanAt(epochMs).closesAt ? 'open' : 'closed';
  }

  /** Whether a day has a session: it is one of the market's weekdays and not a holiday. */
  isSession(date: PlainDate): boolean {
    return this.isSessionDay(toEpochDay(date));
  }

  /** As {@link isSession}, for an epoch day. */
  isSessionDay(day: EpochDay): boolean {
    return this.market.weekdays.has(isoWeekday(day)) && !this.#holidays.has(day);
  }

  /** The last session before a day. The day itself need not have a session. */
  previousSession(date: PlainDate): PlainDate {
    return step(date, -1, (day) => this.isSessionDay(day));
  }

  /** The first session after a day. The day itself need not have a session. */
  nextSession(date: PlainDate): PlainDate {
    return step(date, 1, (day) => this.isSessionDay(day));
  }

  /** Whether trades settle on a day: it has a session, and the banks are open. */
  isSettlement(date: PlainDate): boolean {
    return this.isSettlementDay(toEpochDay(date));
  }

  /** As {@link isSettlement}, for an epoch day. */
  isSettlementDay(day: EpochDay): boolean {
    return this.isSessionDay(day) && !this.#unsettled.has(day);
  }

  /** The last settlement day before a day, which need not be one. */
  previousSettlement(date: PlainDate): PlainDate {
    return step(date, -1, (day) => this.isSettlementDay(day));
  }

  /** The first settlement day after a day, which need not be one. */
  nextSettlement(date: PlainDate): PlainDate {
    return step(date, 1, (day) => this.isSettlementDay(day));
  }

  /** The last session that ended at least `graceMs` before an instant. */
  lastSessionOver(epochMs: number, graceMs: number): PlainDate {
    let date = this.sessionAt(epochMs);
    // Where a session opens at the close of the one before, two of them may end too late.
    while (epochMs < this.closesAt(date) + graceMs) date = this.previousSession(date);
    return date;
  }

  /** The opening hours of a session in local time, early closes included. */
  hoursOf(date: PlainDate): Pick<SessionHours, 'openMinute' | 'closeMinute'> {
    const { openMinute, closeMinute } = hoursOn(this.market.hours, date) ?? this.#oldestHours;
    return { openMinute, closeMinute: this.market.earlyCloses.get(date) ?? closeMinute };
  }

  /**
   * The opening time of a session, in epoch milliseconds. For a day without a session, the opening
   * time by the hours that apply on that day.
   */
  opensAt(date: PlainDate): number {
    return this.#instantOf(date, this.hoursOf(date).openMinute);
  }

  /**
   * The closing time of a session, early closes included, in epoch milliseconds. Ending the sessions asks
   * for the same one once for each instrument.
   */
  readonly closesAt = remembered(spansRememberedMax, (date: PlainDate): number =>
    this.#instantOf(date, this.hoursOf(date).closeMinute),
  );

  /**
   * The latest instant that is on a session's own day and not after its close: the close, or for a
   * close at midnight the millisecond before.
   */
  lastInstantOf(date: PlainDate): number {
    return Math.min(this.closesAt(date), this.#instantOf(date, minutesPerDay) - 1);
  }

  /** 00:00 of a day, in epoch milliseconds. */
  startOfDay(date: PlainDate): number {
    return this.#instantOf(date, 0);
  }

  /** The day of an instant in the time zone of the market, which need not have a session. */
  dateAt(epochMs: number): PlainDate {
    return this.#localDate(epochMs);
  }

  #spanAt(epochMs: number): SessionSpan {
    const known = this.#spans.find(
      ({ opensAt, nextOpensAt }) => epochMs >= opensAt && epochMs < nextOpensAt,
    );
    if (known !== undefined) return known;
    const span = this.#findSpan(epochMs);
    this.#spans[this.#spanCount % spansRememberedMax] = span;
    this.#spanCount += 1;
    return span;
  }

  /** Finds the last session that opens at or before an instant. */
  #findSpan(epochMs: number): SessionSpan {
    if (!Number.isFinite(epochMs)) throw new RangeError(`no instant: ${epochMs}`);
    const local = this.#localDate(epochMs);
    let date = this.isSession(local) ? local : this.previousSession(local);
    if (epochMs < this.opensAt(date)) date = this.previousSession(date);
    return {
      date,
      opensAt: this.opensAt(date),
      closesAt: this.closesAt(date),
      dayEndsAt: this.#instantOf(date, minutesPerDay),
      nextOpensAt: this.opensAt(this.nextSession(date)),
    };
  }

  #localDate(epochMs: number): PlainDate {
    const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs));
    const zoned = instant.toZonedDateTimeISO(this.market.timeZone);
    return zoned.toPlainDate().toString() as PlainDate;
  }

  /**
   * A local time that does not exist because clocks go forward is moved forward by the same amount.
   * Of a local time that occurs twice, the first is meant. This is the rule of RFC 5545, and the
   * "compatible" disambiguation of Temporal.
   */
  #instantOf(date: PlainDate, minute: number): number {
    const day = minute === minutesPerDay ? addDays(date, 1) : date;
    const minuteOfDay = minute === minutesPerDay ? 0 : minute;
    const local = Temporal.PlainDate.from(day).toPlainDateTime({
      hour: Math.floor(minuteOfDay / 60),
      minute: minuteOfDay % 60,
    });
    return local.toZonedDateTime(this.market.timeZone).epochMilliseconds;
  }
}

/** The nearest day in one direction that fulfils a condition. */
function step(date: PlainDate, by: 1 | -1, isWanted: (day: EpochDay) => boolean): PlainDate {
  let day = (toEpochDay(date) + by) as EpochDay;
  while (!isWanted(day)) day = (day + by) as EpochDay;
  return fromEpochDay(day);
}
