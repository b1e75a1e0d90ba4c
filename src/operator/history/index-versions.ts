import type { Version } from '../../domain/changes/version.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { indexVersions } from '../../domain/indices/index-versions.ts';
import type { IndexStore } from '../../store/contract/index-store.ts';

/** The versions of the values of an index ({@link indexVersions}). */
export async function readIndexVersions(
  indices: Pick<IndexStore, 'readAll' | 'readReplaced'>,
  index: IndexName,
): Promise<readonly Version<IndexValue>[]> {
  const { values } = await indices.readAll();
  return indexVersions(index, { values, replaced: await indices.readReplaced(index) });
}
