import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Version } from '../../domain/changes/version.ts';
import { findIndex, type IndexName } from '../../domain/indices/index-name.ts';
import {
  isIndexValue,
  type IndexValue,
  type ReplacedIndexValue,
  type StoredIndexValue,
} from '../../domain/indices/index-value.ts';
import type { IndexStore } from '../contract/versioned-stores.ts';
import type { Reader, Writer } from '../sql/sql.ts';
import {
  VersionedReader,
  VersionedWriter,
  type EndedVersion,
  type VersionedTable,
} from '../versioned-table.ts';

/** A value with the same number is no change, whatever its source. */
export const indexTable: VersionedTable<IndexValue> = {
  subject: 'indices',
  name: 'index_values',
  key: ['name', 'day'],
  columns: { name: 'text', day: 'integer', value: 'real', source: 'text' },
  compared: ['value'],
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

export function indexReader(
  sql: Reader,
): Pick<IndexStore, 'readAll' | 'revision' | 'readReplaced'> {
  const table = new VersionedReader(sql, indexTable);
  return {
    revision: () => table.revision(),
    readAll: async () => {
      const { revision, versions } = await table.readAll();
      return { revision, values: versions.map(toStored) };
    },
    readReplaced: async (index) => {
      const versions = await table.readReplaced();
      return versions.map(toReplaced).filter((one) => index === undefined || one.index === index);
    },
  };
}

export function indexWriter(sql: Writer): Pick<IndexStore, 'put' | 'restore'> {
  const table = new VersionedWriter(sql, indexTable);
  return {
    put: async (put, by) => {
      const changed = await table.apply({ put, remove: [] }, by);
      const replaced = changed.flatMap(({ before }) =>
        before === undefined ? [] : [toReplaced(before)],
      );
      return { added: changed.length - replaced.length, replaced };
    },
    restore: ({ values, replaced }) =>
      table.restore([
        ...values.map((value) => ({ value, stored: storedOf(value) })),
        ...replaced.map((value) => ({
          value,
          stored: storedOf(value),
          replaced: { at: value.replacedAt, origin: value.replacedBy },
        })),
      ]),
  };
}

function storedOf({ storedAt, storedBy }: StoredIndexValue): Version<IndexValue>['stored'] {
  return { at: storedAt, origin: storedBy };
}

function toStored({ value, stored }: Version<IndexValue>): StoredIndexValue {
  // Naming the fields is faster than copying the value, and there are tens of thousands of them.
  const { index, day, value: number, source } = value;
  return { index, day, value: number, source, storedAt: stored.at, storedBy: stored.origin };
}

function toReplaced(version: EndedVersion<IndexValue>): ReplacedIndexValue {
  const { at, origin } = version.replaced;
  return Object.assign(toStored(version), { replacedAt: at, replacedBy: origin });
}
