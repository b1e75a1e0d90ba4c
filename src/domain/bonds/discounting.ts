import type { PlainDate } from '../calendar/plain-date.ts';
import type { BondFlow } from './bond-schedule.ts';
import type { Convention } from './conventions.ts';
import { yearFraction } from './day-count.ts';
import type { TimedAmount } from './solve-yield.ts';

/** The day from which a convention discounts a payment. */
export function discountedFrom(
  { date, paid }: Pick<BondFlow, 'date' | 'paid'>,
  { flowsAt }: Pick<Convention, 'flowsAt'>,
): PlainDate {
  return flowsAt === 'payment' ? paid : date;
}

/**
 * Payments with the time until each, as a convention counts it, multiplied by the growth of an index. Undefined
 * if one of them is not known.
 */
export function timedAmounts(
  ahead: readonly BondFlow[],
  at: {
    readonly settlement: PlainDate;
    readonly convention: Convention;
    readonly ratio: number;
  },
): readonly TimedAmount[] | undefined {
  const { settlement, convention, ratio } = at;
  const amounts: TimedAmount[] = [];
  for (const flow of ahead) {
    if (flow.total === null) return undefined;
    const day = discountedFrom(flow, convention);
    amounts.push({
      amount: flow.total * ratio,
      years: yearFraction(settlement, day, convention.time),
    });
  }
  return amounts;
}
