import { makeLiveBar, msPerMinute } from '../domain/minute-bar.ts';
import type { LiveBar } from '../domain/minute-bar.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import { toEpochDay } from '../domain/plain-date.ts';
import type { LiveSession } from '../domain/stored-quote.ts';
import type { Update } from '../domain/update.ts';

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
 *
 * @param held the session before the update; undefined if the update begins it.
 * @param session the same session after the update.
 * @param dayOf gives the day of the update in the time zone of the market.
 */
export function foldBar(
  bar: LiveBar | undefined,
  update: Update,
  {
    held,
    session,
    dayOf,
  }: {
    readonly held: LiveSession | undefined;
    readonly session: LiveSession;
    readonly dayOf: () => EpochDay;
  },
): LiveBar | undefined {
  const minute = Math.floor(update.at / msPerMinute);
  if (bar !== undefined && minute < bar.minute) return bar;
  if (bar?.minute === minute) return foldSameMinute(bar, update, held, session);
  const { last } = update;
  if (last === undefined) return bar;
  const isContinued =
    bar !== undefined && held !== undefined && bar.day >= toEpochDay(held.sessionDate);
  return makeLiveBar({
    day: dayOf(),
    minute,
    open: last,
    high: last,
    low: last,
    last,
    ...volumes(isContinued ? (bar.volumeTo ?? 0) : 0, session.volume),
    isRecorded: false,
  });
}

function foldSameMinute(
  bar: LiveBar,
  update: Update,
  held: LiveSession | undefined,
  session: LiveSession,
): LiveBar {
  const isLate = held?.asOf !== undefined && update.at < held.asOf;
  let { high, low } = bar;
  for (const price of isLate ? [update.last] : [update.last, ...exceeded(update, held, bar)]) {
    if (price === undefined) continue;
    high = Math.max(high, price);
    low = Math.min(low, price);
  }
  const last = isLate ? bar.last : (update.last ?? bar.last);
  const { volumeFrom, volumeTo } = isLate ? bar : volumes(bar.volumeFrom, session.volume);
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

/**
 * The high and low of the session that an update reports, if they exceed those of an update of the same
 * minute: then they were traded within the minute.
 */
function exceeded(
  { high, low }: Update,
  held: LiveSession | undefined,
  { minute }: LiveBar,
): readonly (number | undefined)[] {
  if (high === undefined && low === undefined) return [];
  if (held?.asOf === undefined || Math.floor(held.asOf / msPerMinute) !== minute) return [];
  return [
    high !== undefined && held.high !== undefined && high > held.high ? high : undefined,
    low !== undefined && held.low !== undefined && low < held.low ? low : undefined,
  ];
}

/** The volumes that a bar counts from and to. A volume that was corrected downwards counts from itself. */
function volumes(from: number, to: number | null): Pick<LiveBar, 'volumeFrom' | 'volumeTo'> {
  return { volumeFrom: to === null ? from : Math.min(from, to), volumeTo: to };
}
