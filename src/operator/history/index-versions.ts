import type { StoreChange, Version } from '../../domain/changes/version.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { IndexValue, StoredIndexValue } from '../../domain/indices/index-value.ts';
import type { IndexStore } from '../../store/contract/index-store.ts';

/** The versions of the values of an index, ascending by day, and for each day in the order in which they were stored. */
export async function readIndexVersions(
  indices: Pick<IndexStore, 'readAll' | 'readReplaced'>,
  index: IndexName,
): Promise<readonly Version<IndexValue>[]> {
  const { values } = await indices.readAll();
  const replaced = (await indices.readReplaced(index)).map((one) => ({
    ...versionOf(one),
    replaced: { at: one.replacedAt, origin: one.replacedBy ?? 'unknown' },
  }));
  const stored = values.filter((one) => one.index === index).map(versionOf);
  // Sorting is stable, so the stored value of a day comes after those that it replaced.
  return [...replaced, ...stored].sort((a, b) => a.value.day - b.value.day);
}

function versionOf({ index, day, value, source, storedAt, storedBy }: StoredIndexValue): {
  readonly value: IndexValue;
  readonly stored: StoreChange;
} {
  const stored = { at: storedAt, origin: storedBy ?? 'unknown' };
  return { value: { index, day, value, source }, stored };
}
