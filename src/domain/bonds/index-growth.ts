import { toEpochDay, type PlainDate } from '../calendar/plain-date.ts';
import type { Bond } from './bond.ts';
import type { IndexName } from '../indices/index-name.ts';
import type { IndexSeries } from '../indices/index-series.ts';
import { businessDaysBefore } from '../calendar/business-days.ts';

/**
 * The value of an index on a day. Undefined if it has not been published or is not stored: values are never
 * extrapolated.
 */
export type IndexValues = (index: IndexName, day: PlainDate) => number | undefined;

/** The values of a series of indices. */
export function valuesOf(series: IndexSeries): IndexValues {
  return (index, day) => series.valueAt(index, toEpochDay(day));
}

/** The index that a valuation used, or needed. */
export interface UsedIndex {
  readonly index: IndexName;
  readonly day: PlainDate;
  /** Null if it is not known. */
  readonly value: number | null;
}

/** By how much the flows of a bond have grown with its index. */
export interface IndexGrowth {
  /** Multiplies all future flows. 1 for a bond without an index. Null if the value is not known. */
  readonly ratio: number | null;
  readonly used: UsedIndex | null;
}

/** The day whose index counts for a settlement. Undefined for a bond without an index. */
function indexDayOf({ terms, days }: Bond, settlement: PlainDate): PlainDate | undefined {
  const { indexation } = terms;
  return indexation && businessDaysBefore(days, settlement, indexation.lagDays);
}

/**
 * The growth of a bond's index from its issue to a settlement. A coefficient takes the place of the index, also
 * for a bond without one.
 */
export function growthOf(
  bond: Bond,
  settlement: PlainDate,
  source: IndexValues | { readonly coefficient: number },
): IndexGrowth {
  if (typeof source !== 'function') return { ratio: source.coefficient, used: null };
  const { indexation } = bond.terms;
  const day = indexDayOf(bond, settlement);
  if (indexation === undefined || day === undefined) return { ratio: 1, used: null };
  const { index, base } = indexation;
  const value = source(index, day) ?? null;
  return { ratio: value === null ? null : value / base, used: { index, day, value } };
}
