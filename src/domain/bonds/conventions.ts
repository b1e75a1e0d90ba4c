import type { SettlementTerm } from '../calendar/business-days.ts';

/** How a yield and the figures beside it are counted. Publishers differ in each of these points. */
export interface Convention {
  /** How the time until a payment is measured. */
  readonly time: 'act/365' | '30/360';
  /** The number of times that the yield compounds in a year. */
  readonly compounding: number;
  /** The modified duration is the duration ÷ (1 + yield ÷ this number). As `compounding`, unless a publisher differs. */
  readonly modifiedBy?: number;
  /**
   * How interest accrues within a period: by the day count of the coupon, in months of 30 days, or as the part
   * of the coupon that corresponds to the days of its period that have passed.
   */
  readonly accrual: 'coupon' | '30/360' | 'actual/actual';
  /**
   * How a bill that capitalises accrues: at its monthly rate, or as the part of its whole interest that
   * corresponds to the days of 30/360 that have passed.
   */
  readonly capitalising: 'compound' | 'linear';
  /** Whether a payment is discounted from its contractual date, or from the day on which it is paid. */
  readonly flowsAt: 'contract' | 'payment';
  /**
   * What a price is: with the accrued interest, without it, or without it and for 100 of the outstanding
   * principal.
   */
  readonly price: 'dirty' | 'clean' | 'clean-outstanding';
  /** What parity compares the price with. */
  readonly parity: 'technical-value' | 'residual';
  /** When a trade settles, unless the request says otherwise. */
  readonly settles: SettlementTerm;
}

const usual = {
  time: 'act/365',
  compounding: 1,
  accrual: 'coupon',
  capitalising: 'compound',
  flowsAt: 'contract',
  price: 'dirty',
  parity: 'technical-value',
  settles: 'next-day',
} as const satisfies Convention;

/** All conventions by their public name (docs/bonds.md). The first is the default. */
export const conventions = {
  pizarra: { ...usual, flowsAt: 'payment' },
  screenermatic: {
    ...usual,
    time: '30/360',
    accrual: '30/360',
    capitalising: 'linear',
    settles: 'same-day',
  },
  ecovalores: { ...usual, accrual: 'actual/actual' },
  bonarg: {
    ...usual,
    compounding: 2,
    accrual: '30/360',
    price: 'clean',
    parity: 'residual',
    settles: 'same-day',
  },
  bloomberg: {
    ...usual,
    time: '30/360',
    compounding: 2,
    accrual: '30/360',
    price: 'clean-outstanding',
  },
  tablero: { ...usual, settles: 'same-day' },
  bonistas: { ...usual, modifiedBy: 2 },
} as const satisfies Record<string, Convention>;

export type ConventionName = keyof typeof conventions;

/** The names of all conventions, the default first. */
export const conventionNames = Object.keys(conventions) as readonly ConventionName[];

export const defaultConvention: ConventionName = 'pizarra';
