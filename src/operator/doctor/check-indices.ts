import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { fine, warning } from '../../lib/reports/finding.ts';
import type { Finding } from '../../lib/reports/finding.ts';
import type { Store } from '../../store/contract/store.ts';
import { checkSeries } from '../indices/stored-indices.ts';
import type { IndexFault } from '../indices/stored-indices.ts';

/** Number of days of which gaps and jumps are named. "pizarra indices check" has all of them. */
const lookBackDays = 400;

const dayMs = 86_400_000;

/**
 * Checks whether the indices that are stored cover the next settlement, and have no gap and no jump in the last
 * year. An index without values is not in use.
 */
export async function checkIndices(
  universe: Universe,
  store: Pick<Store, 'indices'>,
  now: number,
): Promise<Finding> {
  const { revision, values } = await store.indices.readAll();
  const checked = checkSeries(new IndexSeries(revision, values), universe, now);
  if (checked.length === 0) {
    return fine(
      'indices',
      'No index has values, so no yield of a bond that refers to one is known.',
    );
  }
  const oldest = Math.floor(now / dayMs) - lookBackDays;
  const cases = checked.flatMap(({ index, faults }) =>
    faults.filter((fault) => lastDayOf(fault) >= oldest).map((fault) => caseOf(index, fault)),
  );
  const known = `${checked.length} of ${indexNames.length} indices have values`;
  if (cases.length === 0) {
    return fine(
      'indices',
      `${known}. They cover the next settlement, without gaps and jumps in the last ${lookBackDays} days.`,
    );
  }
  return warning('indices', `${known}. Values are missing or wrong.`, {
    todo: 'Fetch them ("pizarra indices fetch") or import them ("pizarra indices import"). "pizarra indices check" has all days.',
    cases,
  });
}

function lastDayOf(fault: IndexFault): number {
  if (fault.type === 'gap') return fault.to;
  return fault.type === 'jump' ? fault.value.day : Infinity;
}

function caseOf(index: string, fault: IndexFault): string {
  switch (fault.type) {
    case 'gap':
      return `${index} ${fromEpochDay(fault.from)} to ${fromEpochDay(fault.to)}: ${fault.days} days without a value`;
    case 'jump':
      return `${index} ${fromEpochDay(fault.value.day)}: ${fault.value.value} after ${fault.before.value}`;
    case 'stale':
      return `${index} ends on ${fromEpochDay(fault.last)}; the settlement of ${fault.settlement} needs ${fromEpochDay(fault.needed)}`;
  }
}
