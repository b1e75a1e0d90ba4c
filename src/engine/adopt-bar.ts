import { toEpochDay } from '../domain/calendar/plain-date.ts';
import { makeLiveBar, type Bar, type LiveBar } from '../domain/quotes/minute-bar.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';

/**
 * The bar under way as a followed service shows it. Returns the held one when it is the same.
 *
 * Its volume ends at that of the session, so a source of this service that replaces the followed one within the
 * minute continues it.
 */
export function adoptedBar(held: LiveBar | undefined, bar: Bar, session: LiveSession): LiveBar {
  const { day, minute, open, high, low, last, volume } = bar;
  const isSame =
    held?.day === day &&
    held.minute === minute &&
    held.open === open &&
    held.high === high &&
    held.low === low &&
    held.last === last &&
    held.volume === volume;
  if (isSame) return held;
  const { volumeFrom, volumeTo } = volumesOf(bar, session);
  const prices = { open, high, low, last };
  return makeLiveBar({ day, minute, ...prices, volumeFrom, volumeTo, isRecorded: false });
}

/** The volumes of the session before and after a bar, whose difference is exactly its volume. */
function volumesOf(
  { day, volume }: Bar,
  session: LiveSession,
): Pick<LiveBar, 'volumeFrom' | 'volumeTo'> {
  if (volume === null) return { volumeFrom: 0, volumeTo: null };
  const to = session.volume;
  if (to !== null && day === toEpochDay(session.sessionDate)) {
    const from = to - volume;
    if (from >= 0 && to - from === volume) return { volumeFrom: from, volumeTo: to };
  }
  return { volumeFrom: 0, volumeTo: volume };
}
