import type { PlainDate } from '../calendar/plain-date.ts';
import type { Bond } from './bond.ts';
import { capitalised, type BondFlow } from './bond-schedule.ts';
import type { Convention } from './conventions.ts';
import { days360, daysBetween, yearFraction } from './day-count.ts';

/**
 * The interest that has accrued on a day, per 100 of the original nominal, before it is multiplied by an
 * index. 0 on the date of a coupon, before the issue and after the maturity. Null if the rate is not known.
 */
export function accruedOn(
  { terms, flows }: Bond,
  day: PlainDate,
  { accrual, capitalising }: Pick<Convention, 'accrual' | 'capitalising'>,
): number | null {
  const next = flows.find(({ date }) => date > day);
  if (next === undefined || day <= next.from) return 0;
  const { interest, issued, factor, dayCount } = terms;
  if (interest.type === 'capitalised') {
    if (capitalising === 'linear' && next.interest !== null) {
      return (next.interest * days360(issued, day)) / days360(issued, next.date);
    }
    return (capitalised(issued, day, interest.monthlyPercent) - 100) * factor;
  }
  if (next.rate === null || next.interest === null) return null;
  if (accrual === 'actual/actual') return next.interest * partOfPeriod(next, day);
  const rule = accrual === 'coupon' ? dayCount : accrual;
  return next.residualBefore * (next.rate / 100) * yearFraction(next.from, day, rule) * factor;
}

/** The part of a period that has passed, by calendar days. */
function partOfPeriod({ from, date }: BondFlow, day: PlainDate): number {
  return daysBetween(from, day) / daysBetween(from, date);
}
