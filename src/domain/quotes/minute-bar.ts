import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';

/** A minute in milliseconds: minutes of bars are counted from the start of 1970 in UTC. */
export const msPerMinute = 60_000;

/**
 * The traded prices of one instrument within a span of time: one minute, or several of them
 * ({@link BarInterval}). Immutable. A bar exists only if a price came within its span.
 */
export interface Bar {
  /** The date of the session. */
  readonly day: EpochDay;
  /** The minute in which the bar starts, counted from the start of 1970 in UTC. */
  readonly minute: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly last: number;
  /**
   * Nominal volume since the end of the bar before, or since the start of the session. Null where the
   * session has none.
   */
  readonly volume: number | null;
}

/** A bar, and the instrument that it belongs to. */
export interface TickerBar {
  readonly ticker: Ticker;
  readonly bar: Bar;
}

/** The bar under way of an instrument, with what folding further updates into it requires. */
export interface LiveBar extends Bar {
  /** The volume of the session at the end of the bar before. */
  readonly volumeFrom: number;
  /** The volume of the session at the latest update of the bar. Null as in {@link Bar.volume}. */
  readonly volumeTo: number | null;
  /** Whether the bar, as it is, was returned for the history of bars. */
  readonly isRecorded: boolean;
}

/** Creates a bar under way. Its volume is the difference of the two volumes of the session. */
export function makeLiveBar(parts: Omit<LiveBar, 'volume'>): LiveBar {
  const { day, minute, open, high, low, last, volumeFrom, volumeTo, isRecorded } = parts;
  // One is made for nearly every update, and spreading the parts takes several times as long.
  return {
    day,
    minute,
    open,
    high,
    low,
    last,
    volume: volumeTo === null ? null : volumeTo - volumeFrom,
    volumeFrom,
    volumeTo,
    isRecorded,
  };
}

/** Whether two bars start in one minute of one day, or neither exists. */
export function isSameMinute(a: Bar | undefined, b: Bar | undefined): boolean {
  return a?.minute === b?.minute && a?.day === b?.day;
}

/** Joins two bars of one span of time, of which `b` is the later one. */
export function joinBars(a: Bar, b: Bar): Bar {
  return {
    day: a.day,
    minute: a.minute,
    open: a.open,
    high: Math.max(a.high, b.high),
    low: Math.min(a.low, b.low),
    last: b.last,
    volume: a.volume === null && b.volume === null ? null : (a.volume ?? 0) + (b.volume ?? 0),
  };
}
