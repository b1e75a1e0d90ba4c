import type { Board } from '../../board/board.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import {
  type BarInterval,
  barIntervals,
  longestBarInterval,
  startOfBar,
} from '../../domain/quotes/bar-interval.ts';
import { isSameMinute, joinBars, type Bar } from '../../domain/quotes/minute-bar.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { BarState } from '../../contract/rows/bar.ts';

/**
 * Passes the bars of instruments to the streams that requested them. Without such a stream, a quote costs
 * one look-up.
 */
export class BarTails implements Disposable {
  readonly #board: Board;
  readonly #bars: BarReader;
  readonly #log: Log;
  readonly #calendars: MarketCalendars;
  readonly #tails = new Map<Instrument, BarTail>();
  readonly #subscription: Disposable;

  constructor(parts: { readonly board: Board; readonly bars: BarReader; readonly log: Log }) {
    this.#board = parts.board;
    this.#bars = parts.bars;
    this.#log = parts.log;
    this.#calendars = new MarketCalendars(parts.board.universe);
    this.#subscription = parts.board.subscribe((quotes) => {
      if (this.#tails.size === 0) return;
      for (const { instrument, bar } of quotes) {
        if (bar !== undefined) this.#tails.get(instrument)?.adopt(bar);
      }
    });
  }

  /**
   * Starts following the bars of a selection. Those under way are pending as soon as the store has been
   * read.
   */
  follow(
    selection: Selection,
    { interval, onReady }: { readonly interval: BarInterval; readonly onReady: () => void },
  ): BarFollower {
    const { instruments } = this.#board.named(selection);
    const follower = new BarFollower({
      onReady,
      onDispose: (gone) => {
        for (const instrument of instruments) this.#leave(instrument, interval, gone);
      },
    });
    for (const instrument of instruments) this.#join(instrument, interval, follower);
    return follower;
  }

  #join(instrument: Instrument, interval: BarInterval, follower: BarFollower): void {
    const held = this.#tails.get(instrument);
    const tail = held ?? this.#newTail(instrument);
    tail.add(interval, follower);
    if (held !== undefined) return;
    this.#tails.set(instrument, tail);
    const bar = this.#board.quote(instrument)?.bar;
    if (bar !== undefined) tail.adopt(bar);
  }

  #newTail(instrument: Instrument): BarTail {
    return new BarTail({
      instrument,
      calendar: this.#calendars.of(instrument),
      bars: this.#bars,
      onFault: (fault) => {
        const { ticker } = instrument;
        this.#log.error({ err: fault, ticker }, 'could not read the bars of a stream');
      },
    });
  }

  #leave(instrument: Instrument, interval: BarInterval, follower: BarFollower): void {
    const tail = this.#tails.get(instrument);
    tail?.remove(interval, follower);
    if (tail?.isFollowed === false) this.#tails.delete(instrument);
  }

  /** Stops following the board. */
  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }
}

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

/**
 * Maximum number of bars of one instrument that are pending for a reader: the one under way, and ended
 * ones. There are more than two only if the reader, or the disk, was blocked for minutes. Then the oldest
 * ones are dropped.
 */
const pendingPerInstrumentMax = 60;

/**
 * The pending bars of one reader: of each instrument the latest state of each of its latest bars. A slow
 * reader skips states of a bar, and gets its last state.
 */
export class BarFollower implements Disposable {
  readonly #pending = new Map<Instrument, Map<number, BarState>>();
  readonly #onReady: () => void;
  readonly #onDispose: (follower: BarFollower) => void;

  constructor(options: {
    /** Called whenever a bar becomes pending while none was. */
    readonly onReady: () => void;
    readonly onDispose: (follower: BarFollower) => void;
  }) {
    this.#onReady = options.onReady;
    this.#onDispose = options.onDispose;
  }

  /** Whether any bar is pending. */
  get isReady(): boolean {
    return this.#pending.size > 0;
  }

  /** Adds a pending bar. It replaces an older state of the same bar. */
  offer(state: BarState): void {
    const wasReady = this.isReady;
    const { instrument, bar } = state;
    const ofInstrument = this.#pending.get(instrument) ?? new Map<number, BarState>();
    this.#pending.set(instrument, ofInstrument);
    ofInstrument.set(bar.minute, state);
    if (ofInstrument.size > pendingPerInstrumentMax) {
      ofInstrument.delete(Math.min(...ofInstrument.keys()));
    }
    if (!wasReady) this.#onReady();
  }

  /** Removes and returns pending bars, ascending for each instrument: those of at most `max` instruments. */
  take(max: number): readonly BarState[] {
    const taken: BarState[] = [];
    for (const [instrument, states] of [...this.#pending].slice(0, max)) {
      this.#pending.delete(instrument);
      taken.push(...[...states.values()].sort((a, b) => a.bar.minute - b.bar.minute));
    }
    return taken;
  }

  /** Discards the pending bars and stops following. */
  [Symbol.dispose](): void {
    this.#pending.clear();
    this.#onDispose(this);
  }
}
