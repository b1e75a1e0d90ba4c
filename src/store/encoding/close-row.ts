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

/** A row of `closes` with the id of the change that stored it. */
export type StoredCloseRow = readonly [...CloseRow, change: number];

/** Converts a row, or the first columns of one, to a close. */
export function fromCloseRow(row: readonly [...CloseRow, ...unknown[]]): DailyClose {
  const [day, close, volume, open, high, low, source] = row;
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
