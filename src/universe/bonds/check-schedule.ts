import { amortisationOn } from '../../domain/bonds/bond-schedule.ts';
import { couponDatesOf } from '../../domain/bonds/coupon-dates.ts';
import type { Interest } from '../../domain/instruments/bond-terms.ts';
import type { BondRow, RowTerms } from './read-cells.ts';

/** The largest difference of the sum of the amortisation from 100 that fractions such as 100/22 leave. */
const sumTolerance = 1e-9;

/** Maximum time from the issue to the maturity, so that no schedule is endless. */
const yearsMax = 100;

/**
 * Maximum rates, in percent. A rate of 2.55 is easily written as 25.5 or 255. No fixed coupon, no margin and no
 * bill of Argentina has come near them, and 100 years at the monthly one are still a number.
 */
const yearlyPercentMax = 200;
const monthlyPercentMax = 20;

/** Maximum of the capitalised interest: nominal 100 that owes more is a percentage in the place of a factor. */
const factorMax = 10;

/**
 * Reports what of the dates and the amortisation of otherwise sound terms contradicts itself, and rates that no
 * bond has.
 */
export function checkSchedule(terms: Omit<RowTerms, 'reviewed'>, row: BondRow): void {
  const { couponDates, issued, maturity, amortisation, interest, factor } = terms;
  if (Number(maturity.slice(0, 4)) - Number(issued.slice(0, 4)) > yearsMax) {
    row.wrong('vencimiento', `is more than ${yearsMax} years after emision (${issued})`, maturity);
    return;
  }
  checkRates(interest, row);
  if (factor > factorMax) {
    row.wrong(
      'factor',
      `is more than ${factorMax}; write 1.27 if 100 nominal owe 127`,
      String(factor),
    );
  }
  if (couponDates.type === 'regular') {
    const { first } = couponDates;
    if (first <= issued || first > maturity) {
      row.wrong(
        'primer_cupon',
        `must be after emision and not after vencimiento (${maturity})`,
        first,
      );
      return;
    }
  }
  if (couponDates.type === 'listed') {
    const [first] = couponDates.dates;
    if (first !== undefined && first <= issued) {
      row.wrong('fechas', 'the first date must be after emision', first);
    }
    const last = couponDates.dates.at(-1);
    if (last !== undefined && last !== maturity) {
      row.wrong('fechas', `the last date must be vencimiento (${maturity})`, last);
      return;
    }
  }
  const dates = couponDatesOf(terms);
  for (const { from, to } of amortisation) {
    for (const date of new Set([from, to])) {
      if (!dates.includes(date))
        row.wrong('amortizacion', 'is not a coupon date of this bond', date);
    }
  }
  const sum = dates.reduce((total, date) => total + amortisationOn(terms, date), 0);
  if (Math.abs(sum - 100) > sumTolerance) {
    row.wrong(
      'amortizacion',
      'the amortisation must sum to 100',
      String(Number(sum.toPrecision(12))),
    );
  }
}

function checkRates(interest: Interest, row: BondRow): void {
  const tooHigh = (column: 'tasa' | 'margen' | 'tem', percent: number): void => {
    const [max, period] =
      column === 'tem' ? [monthlyPercentMax, 'month'] : [yearlyPercentMax, 'year'];
    if (percent <= max) return;
    const reason = `is more than ${max} % a ${period}; use a percentage such as 2.55`;
    row.wrong(column, reason, String(percent));
  };
  switch (interest.type) {
    case 'fixed':
      for (const { percent } of interest.steps) tooHigh('tasa', percent);
      break;
    case 'floating':
      tooHigh('margen', interest.marginPercent);
      break;
    case 'capitalised':
      tooHigh('tem', interest.monthlyPercent);
      break;
    case 'none':
  }
}
