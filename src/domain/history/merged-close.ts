import type { DailyClose } from './daily-close.ts';
import { isSamePrice } from '../values/same-price.ts';

/**
 * Merges an offered close into the stored close of the same day. Returns the stored object when
 * nothing changes. Values that the offered close does not have are kept. Open, high and low are
 * dropped when the new close is outside the stored range, because they then belong to other data or
 * are in another unit. The source is that of the price of the close.
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
  const { source } = isSame ? stored : offered;
  return {
    day: stored.day,
    close,
    volume,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
    ...(source !== undefined && { source }),
  };
}

function mergedPrice(stored: number | undefined, offered: number | undefined): number | undefined {
  if (stored === undefined || offered === undefined) return offered ?? stored;
  return isSamePrice(stored, offered) ? stored : offered;
}

/**
 * The offered volume, except when it is 0 and a volume is stored: many files write 0 for unknown.
 */
function mergedVolume(stored: number | null, offered: number | null): number | null {
  return offered === null || (offered === 0 && stored !== null) ? stored : offered;
}

/** Whether a close is within the stored low and high, where both are known. */
function isWithin(close: number, { high, low }: DailyClose): boolean {
  return high !== undefined && low !== undefined && low <= close && close <= high;
}
