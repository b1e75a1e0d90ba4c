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

/** A close that another one has replaced. Those of a day are numbered in the order in which they were stored. */
export type ReplacedCloseRow = readonly [...StoredCloseRow, position: number, replacedBy: number];

/**
 * Converts a close to a row.
 *
 * @throws RangeError when a price is no number. SQLite would store NaN as null, and PostgreSQL as it is.
 */
export function toCloseRow({ day, close, volume, open, high, low, source }: DailyClose): CloseRow {
  requireFinite(close);
  requireFinite(volume ?? 0);
  requireFinite(open ?? 0);
  requireFinite(high ?? 0);
  requireFinite(low ?? 0);
  return [day, close, volume, open ?? null, high ?? null, low ?? null, source ?? null];
}

function requireFinite(price: number): void {
  if (!Number.isFinite(price)) throw new RangeError(`a close cannot be ${price}`);
}

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
