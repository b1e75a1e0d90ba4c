import {
  barIntervals,
  longestBarInterval,
  startOfBar,
  type BarInterval,
} from '../../domain/quotes/bar-interval.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { isSameMinute, joinBars, type Bar } from '../../domain/quotes/minute-bar.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { BarFollower } from './bar-follower.ts';

/**
 * The latest bars of one instrument that streams follow, in every interval.
 *
 * The quote has the minute under way. When a later minute begins, the minutes that were finished since are
 * read from the store. So the last state of each bar reaches every follower, also when quotes in between
 * were skipped. Minutes that begin while the store is read wait for the next reading.
 */
export class BarTail {
  readonly #instrument: Instrument;
  readonly #calendar: SessionCalendar;
  readonly #bars: BarReader;
  readonly #onFault: (fault: unknown) => void;
  readonly #followers = new Map<BarInterval, Set<BarFollower>>();
  /** The finished minutes of the bar under way of each interval, joined. */
  readonly #parts = new Map<BarInterval, Bar>();
  /** The minute under way up to which the parts are complete. */
  #current: Bar | undefined;
  /** The latest minute under way that arrived while the store is read. */
  #waiting: Bar | undefined;
  #isReading = false;

  constructor(parts: {
    readonly instrument: Instrument;
    readonly calendar: SessionCalendar;
    readonly bars: BarReader;
    /** Called when the store cannot be read. It is read again at the next quote. */
    readonly onFault: (fault: unknown) => void;
  }) {
    this.#instrument = parts.instrument;
    this.#calendar = parts.calendar;
    this.#bars = parts.bars;
    this.#onFault = parts.onFault;
  }

  get isFollowed(): boolean {
    return this.#followers.values().some(({ size }) => size > 0);
  }

  /** Adds a follower. The bar under way is pending at once, or as soon as the store has been read. */
  add(interval: BarInterval, follower: BarFollower): void {
    const followers = this.#followers.get(interval) ?? new Set();
    this.#followers.set(interval, followers.add(follower));
    if (this.#current === undefined || this.#isReading) return;
    follower.offer({ instrument: this.#instrument, bar: this.#underWay(interval, this.#current) });
  }

  remove(interval: BarInterval, follower: BarFollower): void {
    this.#followers.get(interval)?.delete(follower);
  }

  /** Adopts the minute under way of a new quote. */
  adopt(bar: Bar): void {
    if (this.#isReading) this.#waiting = bar;
    else if (isSameMinute(this.#current, bar)) this.#show(bar);
    else void this.#catchUp(bar);
  }

  async #catchUp(first: Bar): Promise<void> {
    this.#isReading = true;
    try {
      let bar: Bar | undefined = first;
      while (bar !== undefined) {
        this.#waiting = undefined;
        if (!isSameMinute(this.#current, bar)) this.#fold(await this.#finishedBefore(bar), bar);
        this.#show(bar);
        bar = this.#waiting;
      }
    } catch (fault) {
      this.#onFault(fault);
    } finally {
      this.#isReading = false;
    }
  }

  /** The minutes that were finished since the minute under way so far, and before a later one. */
  async #finishedBefore(bar: Bar): Promise<readonly Bar[]> {
    if (this.#current !== undefined && bar.minute < this.#current.minute) this.#forget();
    const from = this.#current?.day ?? bar.day;
    const sinceMinute =
      this.#current?.minute ?? startOfBar(bar, longestBarInterval, this.#calendar);
    const range = { from, to: bar.day, sinceMinute };
    const minutes = await this.#bars.readBars(this.#instrument.ticker, range);
    return minutes.filter(({ minute }) => minute < bar.minute);
  }

  /** Adds finished minutes to the parts, and shows the bars that they end. */
  #fold(minutes: readonly Bar[], current: Bar): void {
    const isFirst = this.#current === undefined;
    for (const interval of barIntervals) {
      for (const minute of [...minutes, undefined]) {
        const next = minute ?? current;
        const start = startOfBar(next, interval, this.#calendar);
        const part = this.#parts.get(interval);
        const isContinued = part?.minute === start;
        // Bars that ended before the first follower subscribed are not sent.
        if (part !== undefined && !isContinued && !isFirst) this.#offer(interval, part);
        if (!isContinued) this.#parts.delete(interval);
        if (minute === undefined) continue;
        const joined = isContinued ? joinBars(part, minute) : { ...minute, minute: start };
        this.#parts.set(interval, joined);
      }
    }
  }

  #show(bar: Bar): void {
    this.#current = bar;
    for (const [interval, followers] of this.#followers) {
      if (followers.size > 0) this.#offer(interval, this.#underWay(interval, bar));
    }
  }

  /** The bar under way of an interval. */
  #underWay(interval: BarInterval, bar: Bar): Bar {
    const part = this.#parts.get(interval);
    if (part !== undefined) return joinBars(part, bar);
    return { ...bar, minute: startOfBar(bar, interval, this.#calendar) };
  }

  #offer(interval: BarInterval, bar: Bar): void {
    const state = { instrument: this.#instrument, bar };
    for (const follower of this.#followers.get(interval) ?? []) follower.offer(state);
  }

  /** A minute before the one under way: the market was replaced. */
  #forget(): void {
    this.#current = undefined;
    this.#parts.clear();
  }
}
