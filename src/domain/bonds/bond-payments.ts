import { settlementOf, type BusinessDays } from '../calendar/business-days.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import { valuedIn, type Bond } from './bond.ts';
import { growthOf, type IndexValues } from './index-growth.ts';

/** A coupon, an amortisation or both, as what a price of the bond loses. */
export interface BondPayment {
  /** The first session whose settlement is not before the payment. */
  readonly exDate: PlainDate;
  /** For 100 of the original nominal, multiplied by the index. Null if the rate or the index is not known. */
  readonly amount: number | null;
  readonly currency: string;
}

/**
 * The payments of a bond that leave a principal, in order of date. The last one leaves nothing that has a price.
 *
 * @param index gives the values that multiply each payment: those of its own day
 */
export function paymentsOf(bond: Bond, index: IndexValues): readonly BondPayment[] {
  const currency = valuedIn(bond.terms);
  return bond.flows
    .filter(({ residual }) => residual > 0)
    .map(({ date, paid, total }) => {
      const { ratio } = growthOf(bond, date, index);
      const amount = total === null || ratio === null ? null : total * ratio;
      return { exDate: exDateOf(bond.days, paid), amount, currency };
    });
}

function exDateOf(days: BusinessDays, paid: PlainDate): PlainDate {
  let session = days.isSession(paid) ? paid : days.nextSession(paid);
  for (;;) {
    const before = days.previousSession(session);
    if (settlementOf(days, before, 'next-day') < paid) return session;
    session = before;
  }
}
