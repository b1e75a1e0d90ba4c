import { makeLiveBar, msPerMinute, type LiveBar } from '../domain/quotes/minute-bar.ts';
import { toEpochDay } from '../domain/calendar/plain-date.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { Update } from '../domain/quotes/update.ts';

/** What an update did to the session of its instant. */
interface SessionChange {
  /** The session before the update; undefined if the update begins it. */
  readonly held: LiveSession | undefined;
  /** The same session after the update. */
  readonly session: LiveSession;
  /** The bar under way that the update replaces, because its prices are overruled. */
  readonly overruled?: LiveBar | undefined;
}

/**
 * Folds an accepted update into the bar under way of its instrument. Returns the same bar when the
 * update changes nothing in it, and a bar of a later minute when it carries the first price of that
 * minute. The bar before is finished then. A finished bar never changes.
 *
 * - Only `last` is a price of a bar. The high and low of an update are those of the session. They
 *   widen the bar only if they were exceeded since an update of the same minute.
 * - The volume of a bar is the growth of the session's volume since the bar before. So volume that
 *   traded while no price came, or while the service received nothing, is in the next bar, and the
 *   volumes of a session's bars add up to its volume. If a source corrects the volume downwards, the
 *   volume of the bar counts from the corrected one.
 * - A late update, from before the instant of the session, only widens the bar of its own minute. It
 *   may be the first price of a later minute than that of the bar.
 */
export function foldBar(
  bar: LiveBar | undefined,
  update: Update,
  change: SessionChange,
): LiveBar | undefined {
  const minute = Math.floor(update.at / msPerMinute);
  if (bar === undefined || minute > bar.minute) return beginBar(bar, update, { ...change, minute });
  return minute === bar.minute ? foldSameMinute(bar, update, change) : bar;
}

function beginBar(
  before: LiveBar | undefined,
  { last }: Update,
  { held, session, overruled, minute }: SessionChange & { readonly minute: number },
): LiveBar | undefined {
  if (last === undefined) return before;
  const isContinued =
    before !== undefined && held !== undefined && before.day === toEpochDay(held.sessionDate);
  const volumeTo = session.volume;
  const counted = isContinued ? before.volumeTo : overruled?.volumeFrom;
  const volumeFrom = startOfVolume(counted ?? 0, volumeTo);
  const prices = { open: last, high: last, low: last, last };
  const day = toEpochDay(session.sessionDate);
  return makeLiveBar({ day, minute, ...prices, volumeFrom, volumeTo, isRecorded: false });
}

function foldSameMinute(bar: LiveBar, update: Update, { held, session }: SessionChange): LiveBar {
  const isLate = held?.asOf !== undefined && update.at < held.asOf;
  const price = update.last ?? bar.last;
  let high = Math.max(bar.high, price);
  let low = Math.min(bar.low, price);
  if (!isLate && isOfMinute(held, bar.minute)) {
    high = exceeds(update.high, held.high) ? Math.max(high, update.high) : high;
    low = exceeds(held.low, update.low) ? Math.min(low, update.low ?? low) : low;
  }
  const last = isLate ? bar.last : price;
  const volumeTo = isLate ? bar.volumeTo : session.volume;
  const volumeFrom = startOfVolume(bar.volumeFrom, volumeTo);
  const isSame =
    high === bar.high && low === bar.low && last === bar.last && volumeTo === bar.volumeTo;
  if (isSame) return bar;
  const { day, minute, open } = bar;
  const isRecorded = false;
  return makeLiveBar({
    day,
    minute,
    open,
    high,
    low,
    last,
    volumeFrom,
    volumeTo,
    isRecorded,
  });
}

/** Whether the latest update of a session was in a minute. */
function isOfMinute(held: LiveSession | undefined, minute: number): held is LiveSession {
  return held?.asOf !== undefined && Math.floor(held.asOf / msPerMinute) === minute;
}

function exceeds(a: number | undefined, b: number | undefined): a is number {
  return a !== undefined && b !== undefined && a > b;
}

/** The volume that a bar counts from. A volume that was corrected downwards counts from itself. */
function startOfVolume(from: number, to: number | null): number {
  return to === null ? from : Math.min(from, to);
}
