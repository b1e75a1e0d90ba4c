import { amortisationOn } from '../../domain/bonds/bond-schedule.ts';
import { couponDatesOf } from '../../domain/bonds/coupon-dates.ts';
import type { ReportBond, RowTerms } from './bond-row.ts';

/** The largest difference of the sum of the amortisation from 100 that fractions such as 100/22 leave. */
const sumTolerance = 1e-9;

/** Maximum time from the issue to the maturity, so that no schedule is endless. */
const yearsMax = 100;

/** Maximum monthly rate, in percent. 100 years at it are still a number. A rate of 2.55 is easily written as 255. */
const monthlyPercentMax = 50;

/** Reports what of the dates and the amortisation of otherwise sound terms contradicts itself. */
export function checkSchedule(terms: Omit<RowTerms, 'reviewed'>, wrong: ReportBond): void {
  const { couponDates, issued, maturity, amortisation, interest } = terms;
  if (Number(maturity.slice(0, 4)) - Number(issued.slice(0, 4)) > yearsMax) {
    wrong('vencimiento', maturity, `is more than ${yearsMax} years after emision (${issued})`);
    return;
  }
  if (interest.type === 'capitalised' && interest.monthlyPercent > monthlyPercentMax) {
    const reason = `is more than ${monthlyPercentMax} % a month; use a percentage such as 2.55`;
    wrong('tem', String(interest.monthlyPercent), reason);
  }
  if (couponDates.type === 'regular') {
    const { first } = couponDates;
    if (first <= issued || first > maturity) {
      wrong('primer_cupon', first, `must be after emision and not after vencimiento (${maturity})`);
      return;
    }
  }
  if (couponDates.type === 'listed') {
    const [first] = couponDates.dates;
    if (first !== undefined && first <= issued) {
      wrong('fechas', first, 'the first date must be after emision');
    }
    const last = couponDates.dates.at(-1);
    if (last !== undefined && last !== maturity) {
      wrong('fechas', last, `the last date must be vencimiento (${maturity})`);
      return;
    }
  }
  const dates = couponDatesOf(terms);
  for (const { from, to } of amortisation) {
    for (const date of new Set([from, to])) {
      if (!dates.includes(date)) wrong('amortizacion', date, 'is not a coupon date of this bond');
    }
  }
  const sum = dates.reduce((total, date) => total + amortisationOn(terms, date), 0);
  if (Math.abs(sum - 100) > sumTolerance) {
    wrong('amortizacion', String(Number(sum.toPrecision(12))), 'the amortisation must sum to 100');
  }
}
