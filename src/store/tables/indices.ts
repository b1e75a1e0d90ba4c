import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { findIndex, type IndexName } from '../../domain/indices/index-name.ts';
import { isIndexValue, type IndexValue } from '../../domain/indices/index-value.ts';
import type { IndexKey } from '../contract/versioned-stores.ts';
import type { VersionedTable } from '../versioned-table.ts';

/** A value with the same number is no change, whatever its source. */
export const indexTable: VersionedTable<IndexValue, IndexKey> = {
  subject: 'indices',
  name: 'index_values',
  key: ['name', 'day'],
  columns: { name: 'text', day: 'integer', value: 'real', source: 'text' },
  compared: ['value'],
  keyOf: ({ index, day }) => [index, day],
  toRow({ index, day, value, source }) {
    // A later version may have stored an index that this one does not know.
    const known = findIndex(index);
    const isValue = known === undefined ? Number.isFinite(value) : isIndexValue(known, value);
    if (isValue) return [index, day, value, source];
    throw new RangeError(`${index} cannot be ${value} on day ${day}`);
  },
  fromRow: ([name, day, value, source]) => ({
    // Nothing refers to an index that this version does not know.
    index: name as IndexName,
    day: day as EpochDay,
    value: value as number,
    source: source as string,
  }),
};
