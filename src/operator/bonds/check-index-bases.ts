import type { Bond } from '../../domain/bonds/bond.ts';
import {
  growthOf,
  valuesOf,
  type IndexValues,
  type UsedIndex,
} from '../../domain/bonds/index-growth.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { warningIfAny, type Finding } from '../../lib/reports/finding.ts';

/**
 * The largest difference of `base_indice` from the stored value that rounding explains, as a part of it: 1.4551
 * may have been 1.45514. CER moves by about as much in a day of low inflation, and by ten times as much in 2026.
 */
const roundingMax = 5e-5;

/** In a year whose holidays are not known, the day of the base may be up to this number of business days earlier. */
const holidaysMax = 4;

/**
 * Compares `base_indice` of the terms, the value of the index at the issue, with the stored series. If the series
 * has no value of that day, the bond is not compared: the check of the indices finds gaps. Neither is the base 1,
 * which terms use for an exchange rate.
 */
export function checkIndexBases(
  bonds: readonly Bond[],
  series: IndexSeries,
  calendarOf: (bond: Bond) => SessionCalendar,
): Finding {
  const values = valuesOf(series);
  const compared = bonds.flatMap((bond) => {
    const { indexation, issued } = bond.terms;
    if (indexation === undefined || (indexation.index === 'A3500' && indexation.base === 1)) {
      return [];
    }
    const { used } = growthOf(bond, issued, values);
    return used === null || used.value === null ? [] : { bond, base: indexation.base, used };
  });
  const cases = compared.flatMap(({ bond, base, used }) => {
    const days = possibleDays(used, calendarOf(bond));
    return isAmong(base, used, days, values) ? [] : caseOf(bond, base, used);
  });
  return warningIfAny('index bases', cases, {
    none:
      compared.length === 0
        ? 'No bond has an index whose value at the issue is stored.'
        : `The stored indices agree with the terms of ${compared.length} issues.`,
    some: 'Terms have another value of the index at the issue than is stored.',
    todo: 'Compare base_indice, emision and rezago in bonds.csv with the conditions of the issue. If they are right, correct the stored value ("pizarra indices import").',
  });
}

/** The days whose value the base may be: several if the holidays between them and the issue are not known. */
function possibleDays({ day }: UsedIndex, calendar: SessionCalendar): readonly PlainDate[] {
  const year = day.slice(0, 4);
  const isKnown = [...calendar.market.holidays.keys()].some((date) => date.startsWith(year));
  if (isKnown) return [day];
  const days = [day];
  while (days.length <= holidaysMax) days.push(calendar.previousSettlement(days.at(-1) ?? day));
  return days;
}

/** Whether a base is between the lowest and the highest value of some days, but for its rounding. */
function isAmong(
  base: number,
  { index }: UsedIndex,
  days: readonly PlainDate[],
  valueOn: IndexValues,
): boolean {
  const values = days.flatMap((day) => valueOn(index, day) ?? []);
  return (
    base >= Math.min(...values) * (1 - roundingMax) &&
    base <= Math.max(...values) * (1 + roundingMax)
  );
}

function caseOf({ terms }: Bond, base: number, { index, day, value }: UsedIndex): string {
  return `${terms.ticker}: base_indice is ${base}, and the ${index} of ${day} is ${value}`;
}
