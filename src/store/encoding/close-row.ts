import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';

/** A row of `closes`: day, close, volume, open, high, low, source. */
export type CloseRow = readonly [
  EpochDay,
  number,
  number | null,
  number | null,
  number | null,
  number | null,
  string | null,
];

/** Converts a row to a close. */
export function fromCloseRow([day, close, volume, open, high, low, source]: CloseRow): DailyClose {
  return {
    day,
    close,
    volume,
    ...(open === null ? {} : { open }),
    ...(high === null ? {} : { high }),
    ...(low === null ? {} : { low }),
    ...(source === null ? {} : { source }),
  };
}
