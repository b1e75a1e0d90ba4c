import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';

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

/**
 * PostgreSQL would store NaN and infinity. They are no prices.
 *
 * @throws RangeError
 */
export function requireFinite({ close, volume, open, high, low }: DailyClose): void {
  for (const price of [close, volume ?? 0, open ?? 0, high ?? 0, low ?? 0]) {
    if (!Number.isFinite(price)) throw new RangeError(`a close cannot be ${price}`);
  }
}
