import { Bonds } from '../../domain/bonds/bonds.ts';
import { fromEpochDay, type PlainDate, utcDayOf } from '../../domain/calendar/plain-date.ts';
import type { IndexFault } from '../../domain/indices/check-index.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { hasClassAmong } from '../../domain/instruments/bond-terms.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { fine, warningIfAny, type Finding } from '../../lib/reports/finding.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { dayOfBonds } from '../bonds/check-terms.ts';
import { checkSeries, neededText } from '../indices/check-series.ts';
import type { Bond } from '../../domain/bonds/bond.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { growthOf, valuesOf, type UsedIndex } from '../../domain/bonds/index-growth.ts';

/** Number of days of which gaps and jumps are named. "pizarra indices check" has all of them. */
const lookBackDays = 400;

/** Maximum number of bonds that are named for one value. */
const bondsNamedMax = 4;

/**
 * Checks whether the stored indices have the values that the next settlement of the bonds needs, and have no gap
 * and no jump in the last {@link lookBackDays} days. While no index has values, only those values are named that
 * a bond with a quote needs.
 */
export function checkIndices(
  universe: Universe,
  { quotes, series }: { readonly quotes: readonly Quote[]; readonly series: IndexSeries },
  now: number,
): Finding {
  const checked = checkSeries(series, universe, now);
  const today = dayOfBonds(universe, now);
  const needed = today === undefined ? [] : lackingIndices(new Bonds(universe).all, series, today);
  const quoted = new Set(quotes.map(({ instrument }) => instrument.ticker));
  const lacking =
    checked.length > 0
      ? needed
      : needed.filter(({ bonds }) => bonds.some(({ terms }) => hasClassAmong(terms, quoted)));
  if (checked.length === 0 && lacking.length === 0) {
    return fine(
      'indices',
      'No index has values, so no yield of a bond that refers to one is known. "pizarra indices fetch" reads them.',
    );
  }
  const oldest = utcDayOf(now) - lookBackDays;
  const described = new Set(lacking.map(({ index }) => index));
  const cases = [
    ...checked.flatMap(({ index, faults }) =>
      faults
        .filter((fault) => lastDayOf(fault) >= oldest)
        // The bonds that lack the value are named instead.
        .filter(({ type }) => type !== 'stale' || !described.has(index))
        .map((fault) => caseOf(index, fault)),
    ),
    ...lacking.map(describeLacking),
  ];
  const known = `${checked.length} of ${indexNames.length} indices have values`;
  return warningIfAny('indices', cases, {
    none: `${known}. They cover the next settlement, without gaps and jumps in the last ${lookBackDays} days.`,
    some: `${known}. Values are missing or wrong.`,
    todo: 'Fetch them ("pizarra indices fetch") or import them ("pizarra indices import"). "pizarra indices check" has all days.',
  });
}

function describeLacking({ index, day, settlement, bonds }: LackingIndex): string {
  const tickers = bonds.map(({ terms }) => terms.ticker);
  return `${index} ${day}, needed for the settlement of ${settlement}: no value, so no yield of ${firstOf(tickers, bondsNamedMax)}`;
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
      return `${index} ends on ${fromEpochDay(fault.last)}; ${neededText(fault)}`;
  }
}

/** A value of an index that the next settlement needs and that is not stored, with the bonds that need it. */
interface LackingIndex extends Pick<UsedIndex, 'index' | 'day'> {
  readonly settlement: PlainDate;
  readonly bonds: readonly Bond[];
}

/** The values that are not stored and that bonds need for a trade on a day, each bond by its own lag. */
function lackingIndices(
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
