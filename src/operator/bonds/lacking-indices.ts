import type { Bond } from '../../domain/bonds/bond.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { growthOf, valuesOf, type UsedIndex } from '../../domain/bonds/index-growth.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';

/** A value of an index that the next settlement needs and that is not stored, with the bonds that need it. */
export interface LackingIndex extends Pick<UsedIndex, 'index' | 'day'> {
  readonly settlement: PlainDate;
  readonly bonds: readonly Bond[];
}

/** The values that are not stored and that bonds need for a trade on a day, each bond by its own lag. */
export function lackingIndices(
  bonds: readonly Bond[],
  series: IndexSeries,
  traded: PlainDate,
): readonly LackingIndex[] {
  const values = valuesOf(series);
  const needs = bonds.flatMap((bond) => {
    const settlement = settlementOf(bond.days, traded, 'next-day');
    if (settlement >= bond.terms.maturity) return [];
    const { used } = growthOf(bond, settlement, values);
    return used?.value === null ? [{ ...used, settlement, bond }] : [];
  });
  const groups = Map.groupBy(needs, ({ index, day }) => `${index} ${day}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { index, day, settlement } = first;
    return { index, day, settlement, bonds: group.map(({ bond }) => bond) };
  });
}
