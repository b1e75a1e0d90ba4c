import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { faultsOf, missingDays, type IndexFault } from '../../domain/indices/check-index.ts';
import { findIndex, indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { ReplacedIndexValue, StoredIndexValue } from '../../domain/indices/index-value.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import type { Store } from '../../store/contract/store.ts';

export { formatExactNumber } from '../../lib/numbers/exact-number.ts';
export type { IndexFault, IndexName, ReplacedIndexValue, StoredIndexValue };

/** What is stored of one index. */
export interface IndexSummary {
  readonly index: IndexName;
  /** The number of days with a value. */
  readonly values: number;
  /** The first and the last value. Undefined for an index without values. */
  readonly first: StoredIndexValue | undefined;
  readonly last: StoredIndexValue | undefined;
  /** The number of days between them that have no value and should have one. */
  readonly missing: number;
}

/** The faults of one index that has values. */
export interface CheckedIndex {
  readonly index: IndexName;
  readonly values: number;
  readonly faults: readonly IndexFault[];
}

/** A range of days, both of which are included and may be left out. */
export interface DaysWanted {
  readonly from?: PlainDate | undefined;
  readonly to?: PlainDate | undefined;
}

/**
 * The index that an operator names, in any case.
 *
 * @throws {UsageFault} that lists the valid names.
 */
export function requireIndex(name: string): IndexName {
  const index = findIndex(name.toUpperCase());
  if (index !== undefined) return index;
  throw new UsageFault(`There is no index ${name}. Valid: ${indexNames.join(', ')}.`);
}

/** What is stored of each index, in their order. */
export async function summariseIndices(request: {
  readonly storeAt: string;
  readonly universeDirectory: string;
}): Promise<readonly IndexSummary[]> {
  const calendar = settlementCalendar(await requireUniverse(request.universeDirectory));
  const { values } = await readStored(request.storeAt, (store) => store.indices.readAll());
  return indexNames.map((index) => {
    const own = values.filter((one) => one.index === index);
    return {
      index,
      values: own.length,
      first: own[0],
      last: own.at(-1),
      missing: missingDays(index, own, calendar).length,
    };
  });
}

/** The stored values of one index in a range of days, ascending. */
export async function listValues(
  storeAt: string,
  index: IndexName,
  days: DaysWanted,
): Promise<readonly StoredIndexValue[]> {
  const { values } = await readStored(storeAt, (store) => store.indices.readAll());
  return within(
    values.filter((one) => one.index === index),
    days,
  );
}

/** All stored values, in the order of the indices. */
export async function listAllValues(
  storeAt: string,
  days: DaysWanted,
): Promise<readonly StoredIndexValue[]> {
  const { values } = await readStored(storeAt, (store) => store.indices.readAll());
  return indexNames.flatMap((index) =>
    within(
      values.filter((one) => one.index === index),
      days,
    ),
  );
}

/** The values that others have replaced, of one index or of all, ascending. */
export async function listReplaced(
  storeAt: string,
  index: IndexName | undefined,
  days: DaysWanted,
): Promise<readonly ReplacedIndexValue[]> {
  return within(await readStored(storeAt, (store) => store.indices.readReplaced(index)), days);
}

/** Checks the indices that have values, or one of them. It changes nothing, and a service may be running. */
export async function checkIndices(request: {
  readonly storeAt: string;
  readonly universeDirectory: string;
  readonly index: IndexName | undefined;
}): Promise<readonly CheckedIndex[]> {
  const universe = await requireUniverse(request.universeDirectory);
  const { revision, values } = await readStored(request.storeAt, (store) =>
    store.indices.readAll(),
  );
  const series = new IndexSeries(revision, values);
  const checked = checkSeries(series, universe, systemClock.now());
  return request.index === undefined
    ? checked
    : checked.filter(({ index }) => index === request.index);
}

/** Checks the indices that have values, at an instant in epoch milliseconds. */
export function checkSeries(
  series: IndexSeries,
  universe: Universe,
  now: number,
): readonly CheckedIndex[] {
  const calendar = settlementCalendar(universe);
  const today = calendar?.dateAt(now) ?? (new Date(now).toISOString().slice(0, 10) as PlainDate);
  return indexNames.flatMap((index) => {
    const values = series.all(index).length;
    if (values === 0) return [];
    return { index, values, faults: faultsOf(index, series, { calendar, today }) };
  });
}

async function readStored<T>(storeAt: string, read: (store: Store) => Promise<T>): Promise<T> {
  await using place = openPlace(storeAt);
  await using store = await place.open({ mode: 'read' });
  return await read(store);
}

function within<Value extends StoredIndexValue>(
  values: readonly Value[],
  { from, to }: DaysWanted,
): readonly Value[] {
  const first = from === undefined ? firstEpochDay : toEpochDay(from);
  const last = to === undefined ? lastEpochDay : toEpochDay(to);
  if (first > last) {
    throw new UsageFault(`--desde ${from} is after --hasta ${to}. Set --desde to an earlier day.`);
  }
  return values.filter(({ day }) => day >= first && day <= last);
}
