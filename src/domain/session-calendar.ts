import { hoursOn } from './market.ts';
import type { Market, SessionHours } from './market.ts';
import { addDays, fromEpochDay, isoWeekday, toEpochDay } from './plain-date.ts';
import type { EpochDay, PlainDate } from './plain-date.ts';

/** A session with the instants that bound it, in epoch milliseconds. */
interface SessionSpan {
  readonly date: PlainDate;
  readonly opensAt: number;
  readonly closesAt: number;
  /** The end of the session's own day, in the market's time zone. */
  readonly dayEndsAt: number;
  /** Where the next session begins. */
  readonly nextOpensAt: number;
}

/** How many spans a calendar remembers; more sessions than these are never live at one time. */
const spansRememberedMax = 8;

const minutesPerDay = 1440;

/**
 * The sessions of one market. The session of an instant is the last one that opened: every instant
 * has exactly one. Only some instants lie within the hours of their session; the others are before
 * the open, after the close, at a weekend or on a holiday.
 *
 * Asked for every update, so it remembers the spans it met last and compares numbers; only the first
 * instant of a session needs the time zone.
 */
export class SessionCalendar {
  readonly market: Market;
  readonly #holidays: ReadonlySet<EpochDay>;
  readonly #oldestHours: SessionHours;
  /** Most recently used first. */
  readonly #spans: SessionSpan[] = [];
  /** The closes that were asked for last: whoever ends sessions asks for every instrument's. */
  readonly #closes = new Map<PlainDate, number>();

  constructor(market: Market) {
    if (market.weekdays.size === 0) throw new Error(`market ${market.code} has no weekday`);
    const [oldestHours] = market.hours;
    if (oldestHours === undefined) throw new Error(`market ${market.code} has no hours`);
    this.#oldestHours = oldestHours;
    this.market = market;
    this.#holidays = new Set([...market.holidays.keys()].map(toEpochDay));
  }

  /** The date of the last session that had opened at an instant, in epoch milliseconds. */
  sessionAt(epochMs: number): PlainDate {
    return this.#spanAt(epochMs).date;
  }

  /**
   * Whether an instant lies within its session: from the open to the close or at most `graceMs` after
   * it, and on the session's own day. So the session's date and the time of day of such an instant
   * together name the instant.
   */
  isWithinSession(epochMs: number, graceMs: number): boolean {
    const { closesAt, dayEndsAt } = this.#spanAt(epochMs);
    return epochMs <= closesAt + graceMs && epochMs < dayEndsAt;
  }

  /** Whether the market is trading at an instant: from the open on, up to but not at the close. */
  stateAt(epochMs: number): 'open' | 'closed' {
    return epochMs < this.#spanAt(epochMs).closesAt ? 'open' : 'closed';
  }

  /** Whether there is a session on a day: one of the market's weekdays, and no holiday. */
  isSession(date: PlainDate): boolean {
    return this.isSessionDay(toEpochDay(date));
  }

  /** As {@link isSession}, for whoever holds epoch days. */
  isSessionDay(day: EpochDay): boolean {
    return this.market.weekdays.has(isoWeekday(day)) && !this.#holidays.has(day);
  }

  /** The last session before a day, which need not be one itself. */
  previousSession(date: PlainDate): PlainDate {
    return this.#step(date, -1);
  }

  /** The first session after a day, which need not be one itself. */
  nextSession(date: PlainDate): PlainDate {
    return this.#step(date, 1);
  }

  /**
   * When a session opens, in epoch milliseconds. For a day without a session, when it would by the
   * hours in force.
   */
  opensAt(date: PlainDate): number {
    return this.#instantOf(date, this.#hoursOn(date).openMinute);
  }

  /** When a session closes, in epoch milliseconds, early closes included; as {@link opensAt}. */
  closesAt(date: PlainDate): number {
    const known = this.#closes.get(date);
    if (known !== undefined) return known;
    const closesAt = this.#closingInstant(date);
    if (this.#closes.size >= spansRememberedMax) this.#closes.clear();
    this.#closes.set(date, closesAt);
    return closesAt;
  }

  /**
   * The latest instant on a session's own day that is not after its close: the close itself, or the
   * millisecond before a close at midnight.
   */
  lastInstantOf(date: PlainDate): number {
    return Math.min(this.closesAt(date), this.#instantOf(date, minutesPerDay) - 1);
  }

  #closingInstant(date: PlainDate): number {
    const minute = this.market.earlyCloses.get(date) ?? this.#hoursOn(date).closeMinute;
    return this.#instantOf(date, minute);
  }

  #spanAt(epochMs: number): SessionSpan {
    const latest = this.#spans[0];
    if (latest !== undefined && epochMs >= latest.opensAt && epochMs < latest.nextOpensAt) {
      return latest;
    }
    const index = this.#spans.findIndex(
      (span) => epochMs >= span.opensAt && epochMs < span.nextOpensAt,
    );
    const found = index === -1 ? undefined : this.#spans.splice(index, 1)[0];
    const span = found ?? this.#findSpan(epochMs);
    this.#spans.unshift(span);
    if (this.#spans.length > spansRememberedMax) this.#spans.pop();
    return span;
  }

  /** The last session that opens at or before an instant. */
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

  #step(date: PlainDate, by: 1 | -1): PlainDate {
    let day = (toEpochDay(date) + by) as EpochDay;
    while (!this.isSessionDay(day)) day = (day + by) as EpochDay;
    return fromEpochDay(day);
  }

  #hoursOn(date: PlainDate): SessionHours {
    return hoursOn(this.market.hours, date) ?? this.#oldestHours;
  }

  #localDate(epochMs: number): PlainDate {
    const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs));
    const zoned = instant.toZonedDateTimeISO(this.market.timeZone);
    return zoned.toPlainDate().toString() as PlainDate;
  }

  /**
   * A local time that the clocks skip is moved on by as much as they were, one that they show twice
   * is its first showing: what RFC 5545 says, and Temporal calls "compatible".
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
