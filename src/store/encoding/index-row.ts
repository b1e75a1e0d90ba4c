import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { ChangeOrigin } from '../../domain/changes/version.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import {
  isIndexValue,
  type IndexValue,
  type ReplacedIndexValue,
  type StoredIndexValue,
} from '../../domain/indices/index-value.ts';

/** The columns of a value, in the order of {@link IndexRow}. */
export const indexColumns = ['name', 'day', 'value', 'source', 'stored_at', 'stored_by'] as const;

/** The columns of a value that was replaced, in the order of {@link ReplacedIndexRow}. */
export const replacedIndexColumns = [...indexColumns, 'replaced_at', 'replaced_by'] as const;

/** The value of an index as a row of the database. */
export type IndexRow = readonly [
  name: string,
  day: number,
  value: number,
  source: string,
  storedAt: number,
  storedBy: string,
];

/** A value that was replaced, as a row of the database. */
export type ReplacedIndexRow = readonly [...IndexRow, replacedAt: number, replacedBy: string];

/** The row of a value. */
export function toIndexRow(stored: StoredIndexValue): IndexRow {
  const { index, day, value, source, storedAt, storedBy } = stored;
  return [index, day, value, source, storedAt, storedBy];
}

/** The row of a value that was replaced. */
export function toReplacedIndexRow(replaced: ReplacedIndexValue): ReplacedIndexRow {
  return [...toIndexRow(replaced), replaced.replacedAt, replaced.replacedBy];
}

/** The value of a row. */
export function fromIndexRow(row: IndexRow): StoredIndexValue {
  const [name, day, value, source, storedAt, storedBy] = row;
  return {
    // A later version may have stored an index that this one does not know. Nothing refers to it.
    index: name as IndexName,
    day: day as EpochDay,
    value,
    source,
    storedAt,
    storedBy: storedBy as ChangeOrigin,
  };
}

/** The replaced value of a row. */
export function fromReplacedIndexRow(row: ReplacedIndexRow): ReplacedIndexValue {
  const [name, day, value, source, storedAt, storedBy, replacedAt, replacedBy] = row;
  return {
    ...fromIndexRow([name, day, value, source, storedAt, storedBy]),
    replacedAt,
    replacedBy: replacedBy as ChangeOrigin,
  };
}

/**
 * Refuses values that no index can have. SQLite would silently store NaN as null.
 *
 * @throws RangeError
 */
export function requireIndexValues(values: readonly IndexValue[]): void {
  for (const { index, day, value } of values) {
    if (!isIndexValue(value)) throw new RangeError(`${index} cannot be ${value} on day ${day}`);
  }
}

/** The values of a put: of several values of one day, the last one is stored. */
export function lastOfEachDay(values: readonly IndexValue[]): readonly IndexValue[] {
  return [...new Map(values.map((one) => [`${one.index}\n${one.day}`, one])).values()];
}
