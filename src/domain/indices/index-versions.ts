import type { Version } from '../changes/version.ts';
import type { IndexName } from './index-name.ts';
import type { IndexValue, ReplacedIndexValue, StoredIndexValue } from './index-value.ts';

/**
 * The versions of the values of an index, ascending by day, and for each day in the order in which they were
 * stored.
 *
 * @param content.replaced for each day in the order in which they were stored
 */
export function indexVersions(
  index: IndexName,
  content: {
    readonly values: readonly StoredIndexValue[];
    readonly replaced: readonly ReplacedIndexValue[];
  },
): readonly Version<IndexValue>[] {
  const isOf = (value: IndexValue): boolean => value.index === index;
  const replaced = content.replaced.filter(isOf).map((one) => ({
    ...versionOf(one),
    replaced: { at: one.replacedAt, origin: one.replacedBy },
  }));
  const stored = content.values.filter(isOf).map(versionOf);
  // Sorting is stable, so the stored value of a day comes after those that it replaced.
  return [...replaced, ...stored].sort((a, b) => a.value.day - b.value.day);
}

function versionOf({
  storedAt,
  storedBy,
  index,
  day,
  value,
  source,
}: StoredIndexValue): Version<IndexValue> {
  const stored = { at: storedAt, origin: storedBy };
  return { value: { index, day, value, source }, stored };
}
