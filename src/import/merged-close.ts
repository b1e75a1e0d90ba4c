import type { DailyClose } from '../domain/daily-close.ts';
import { isSamePrice } from './same-price.ts';

/**
 * What to keep of a stored close and an offered one of the same day; the stored one itself if all.
 * A field that the file lacks is kept, but for an open, high and low that do not go with another
 * close: those are of another day's trading, or in another unit.
 */
export function mergedClose(stored: DailyClose, offered: DailyClose): DailyClose {
  const isSame = isSamePrice(stored.close, offered.close);
  const close = isSame ? stored.close : offered.close;
  const kept = isSame || isWithin(close, stored) ? stored : undefined;
  const open = mergedPrice(kept?.open, offered.open);
  const high = mergedPrice(kept?.high, offered.high);
  const low = mergedPrice(kept?.low, offered.low);
  const volume = mergedVolume(stored.volume, offered.volume);
  const isUnchanged =
    close === stored.close &&
    volume === stored.volume &&
    open === stored.open &&
    high === stored.high &&
    low === stored.low;
  if (isUnchanged) return stored;
  return {
    day: stored.day,
    close,
    volume,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
  };
}

function mergedPrice(stored: number | undefined, offered: number | undefined): number | undefined {
  if (stored === undefined || offered === undefined) return offered ?? stored;
  return isSamePrice(stored, offered) ? stored : offered;
}

/** The offered volume, unless it is none: many files write 0 where they do not know it. */
function mergedVolume(stored: number | null, offered: number | null): number | null {
  return offered === null || (offered === 0 && stored !== null) ? stored : offered;
}

/** Whether a close lies within the low and the high of a day that has both. */
function isWithin(close: number, { high, low }: DailyClose): boolean {
  return high !== undefined && low !== undefined && low <= close && close <= high;
}
