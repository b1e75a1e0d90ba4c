import type { Ticker } from './ticker.ts';

/** The names of the terms of an issue, in the order in which clients get them. */
export const termsFields = [
  'isin',
  'law',
  'flowCurrency',
  'option',
  'termsState',
  'termsReviewed',
  'termsSources',
  'maturity',
  'issue',
  'issued',
  'couponMonths',
  'firstCoupon',
  'couponDates',
  'rates',
  'dayCount',
  'amortisation',
  'index',
  'indexLag',
  'indexBase',
  'margin',
  'factor',
  'monthlyRate',
  'dual',
  'paymentDay',
] as const;

/** The name of a term. */
export type TermsField = (typeof termsFields)[number];

/** The terms of an issue as a value for each, in the form in which clients get them and the store keeps them. */
export interface IssueTerms {
  /** The ticker of its class in pesos, or of its only class. */
  readonly ticker: Ticker;
  /** The tickers of its other classes. */
  readonly series: readonly Ticker[];
  /** A term that does not apply is absent. */
  readonly values: Readonly<Partial<Record<TermsField, string | number>>>;
}
