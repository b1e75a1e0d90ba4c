import type { PlainDate } from '../calendar/plain-date.ts';
import type { BondTerms, Interest, RateStep } from '../instruments/bond-terms.ts';
import { onOrAfter, type BusinessDays } from '../calendar/business-days.ts';
import { couponDatesOf } from './coupon-dates.ts';
import { days360, yearFraction } from './day-count.ts';

/** One payment of a bond, per 100 of the original nominal, before it is multiplied by an index. */
export interface BondFlow {
  /** The start of its period: the date of the coupon before it, or the issue. */
  readonly from: PlainDate;
  /** The contractual date. */
  readonly date: PlainDate;
  /** The day of the payment. */
  readonly paid: PlainDate;
  /** The annual rate of its period in percent. Null if it is not known. */
  readonly rate: number | null;
  /** Null if the rate is not known. */
  readonly interest: number | null;
  readonly amortisation: number;
  /** Interest and amortisation. Null if the rate is not known. */
  readonly total: number | null;
  /** The principal before the payment, in percent of the original nominal. */
  readonly residualBefore: number;
  /** The principal after the payment, in percent of the original nominal. 0 after the last one. */
  readonly residual: number;
}

/**
 * The payments of a bond in order of date (docs/bonds.md). The terms are sound: the amortisation sums to 100.
 * Computed once, when the terms load.
 */
export function scheduleOf(terms: BondTerms, days: BusinessDays): readonly BondFlow[] {
  const { factor, maturity, interest: rule } = terms;
  const flows: BondFlow[] = [];
  let from = terms.issued;
  let residualBefore = 100;
  for (const date of couponDatesOf(terms)) {
    // What remains is repaid at maturity, so that the residual is exactly 0 after fractions such as 100/22.
    const repaid = date === maturity ? residualBefore : amortisationOn(terms, date);
    const residual = residualBefore - repaid;
    const rate = rateOf(rule, from);
    const interest = interestOf(terms, { from, date, rate, residualBefore });
    const amortisation = repaid * factor;
    flows.push({
      from,
      date,
      paid: terms.paysOnSession ? onOrAfter(days, date) : date,
      rate,
      interest,
      amortisation,
      total: interest === null ? null : interest + amortisation,
      residualBefore,
      residual,
    });
    from = date;
    residualBefore = residual;
  }
  return flows;
}

/** What is repaid on a coupon date, in percent of the original nominal. */
export function amortisationOn(
  { amortisation }: Pick<BondTerms, 'amortisation'>,
  date: PlainDate,
): number {
  const steps = amortisation.filter(({ from, to }) => from <= date && date <= to);
  return steps.reduce((sum, { percent }) => sum + percent, 0);
}

/** The value of 100 nominal that is capitalised every month, after a part of its life. */
export function capitalised(issued: PlainDate, date: PlainDate, monthlyPercent: number): number {
  return 100 * (1 + monthlyPercent / 100) ** (days360(issued, date) / 30);
}

function rateOf(interest: Interest, from: PlainDate): number | null {
  switch (interest.type) {
    case 'fixed':
      return interest.steps.findLast((step: RateStep) => step.from <= from)?.percent ?? null;
    case 'floating':
      return null;
    case 'none':
    case 'capitalised':
      return 0;
  }
}

function interestOf(
  { interest, issued, dayCount, factor }: BondTerms,
  period: Pick<BondFlow, 'from' | 'date' | 'rate' | 'residualBefore'>,
): number | null {
  const { from, date, rate, residualBefore } = period;
  if (interest.type === 'capitalised') {
    return (capitalised(issued, date, interest.monthlyPercent) - 100) * factor;
  }
  if (rate === null) return null;
  return residualBefore * (rate / 100) * yearFraction(from, date, dayCount) * factor;
}
