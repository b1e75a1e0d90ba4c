import { doubtfulDays } from '../../domain/indices/judge-index.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { dateFormats, type DateFormat } from '../../import/cells/date-format.ts';
import { readIndices, type IndexCells } from '../../import/indices/read-indices.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { formatUniverseFaults } from '../../universe/files/universe-fault.ts';
import { openExisting } from '../store/open-existing.ts';

/** The values of `--date-format`. */
export const indexDateFormats: readonly DateFormat[] = dateFormats;

/** The request of an import of values of indices. */
export interface IndexImportRequest extends IndexCells {
  /** Files, directories, and `-` for standard input. */
  readonly sources: readonly string[];
  readonly storeAt: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Read and compare everything, and store nothing. */
  readonly dryRun: boolean;
}

/** The result of an import of values of indices. */
export interface IndexImportSummary {
  readonly files: number;
  readonly added: number;
  /** Values that replace a different one, which is kept. */
  readonly changed: number;
  readonly same: number;
  /** Values that are far from those around them. They are stored all the same. */
  readonly suspicious: readonly IndexValue[];
  readonly dryRun: boolean;
}

/**
 * Imports values of indices into the store of an installation, all of them or none. A running service serves
 * them at once. A dry run changes nothing, and creates nothing if no store exists.
 *
 * @throws {OperatorFault} that lists every fault of the files.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function importIndices(request: IndexImportRequest): Promise<IndexImportSummary> {
  const { sources, storeAt, stdin, dryRun } = request;
  const { values, faults, files } = await readIndices(sources, request, stdin);
  if (faults.length > 0) {
    throw new OperatorFault(
      `Nothing was imported, because of these faults:\n${formatUniverseFaults(faults)}`,
    );
  }
  if (files === 0) throw new OperatorFault('There is no file to import. Check the paths.');
  await using place = openPlace(storeAt);
  await using store = dryRun ? await openExisting(place) : await place.open({ mode: 'create' });
  const { values: stored } = (await store?.indices.readAll()) ?? { values: [] };
  const before = new IndexSeries(0, stored);
  const isKnown = ({ index, day }: IndexValue): boolean => before.valueAt(index, day) !== undefined;
  const differing = values.filter(({ index, day, value }) => before.valueAt(index, day) !== value);
  if (!dryRun) await store?.indices.put(differing, { at: systemClock.now(), origin: 'import' });
  const changed = differing.filter(isKnown).length;
  return {
    files,
    added: differing.length - changed,
    changed,
    same: values.length - differing.length,
    suspicious: suspiciousOf(before, differing),
    dryRun,
  };
}

/** The values that contradict those around them, in the order of the indices and days. */
function suspiciousOf(before: IndexSeries, offered: readonly IndexValue[]): readonly IndexValue[] {
  return indexNames.flatMap((index) => {
    const own = offered.filter((one) => one.index === index).toSorted((a, b) => a.day - b.day);
    const doubtful = doubtfulDays(index, before.all(index), own);
    return own.filter(({ day }) => doubtful.has(day));
  });
}
