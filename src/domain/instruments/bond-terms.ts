import type { PlainDate } from '../calendar/plain-date.ts';
import type { IndexName } from '../indices/index-name.ts';
import type { Ticker } from './ticker.ts';

/** The rules that turn two dates into a part of a year. */
export const dayCounts = ['30/360', 'act/365', 'act/360'] as const;

export type DayCount = (typeof dayCounts)[number];

/** Whether a text is the name of a day count. */
export function isDayCount(text: string): text is DayCount {
  return (dayCounts as readonly string[]).includes(text);
}

/** The dates of the coupons: at a regular distance from the first one, a list, or only the maturity. */
export type CouponDates =
  | { readonly type: 'regular'; readonly months: number; readonly first: PlainDate }
  | { readonly type: 'listed'; readonly dates: readonly PlainDate[] }
  | { readonly type: 'at-maturity' };

/** The annual rate, in percent, of the coupon periods that start on or after a date. */
export interface RateStep {
  readonly from: PlainDate;
  readonly percent: number;
}

/** What is repaid at each coupon date of a range, both ends included, in percent of the original nominal. */
export interface AmortisationStep {
  readonly from: PlainDate;
  readonly to: PlainDate;
  readonly percent: number;
}

/** How the interest of a bond is determined. */
export type Interest =
  /** None: a zero coupon bond. */
  | { readonly type: 'none' }
  /** Fixed annual rates, in order of date. Periods before the first one have an unknown rate. */
  | { readonly type: 'fixed'; readonly steps: readonly RateStep[] }
  /** Capitalised every month at a rate in percent, and paid at maturity: a LECAP or a BONCAP. */
  | { readonly type: 'capitalised'; readonly monthlyPercent: number }
  /** A published rate plus a margin in percent. Future coupons are unknown. */
  | { readonly type: 'floating'; readonly index: IndexName; readonly marginPercent: number };

/** The index by whose growth all flows are multiplied. */
export interface Indexation {
  readonly index: IndexName;
  /** The number of business days by which the index precedes the settlement. */
  readonly lagDays: number;
  /** The value of the index at the issue. 1 for an exchange rate. */
  readonly base: number;
}

/** The terms of one issue of a bond or a bill, from `bonds.csv` (docs/bonds.md). Immutable. */
export interface BondTerms {
  /** The ticker of its class in pesos, or of its only class. */
  readonly ticker: Ticker;
  /** The tickers of its other classes. */
  readonly series: readonly Ticker[];
  readonly isin?: string;
  /** The law of the issue: `AR`, `NY`. */
  readonly law?: string;
  /** The first day of accrual. */
  readonly issued: PlainDate;
  /** The contractual maturity, which may have no session. */
  readonly maturity: PlainDate;
  /** The currency of the flows. */
  readonly currency: string;
  readonly couponDates: CouponDates;
  readonly interest: Interest;
  /** The day count of the coupons. */
  readonly dayCount: DayCount;
  readonly amortisation: readonly AmortisationStep[];
  readonly indexation?: Indexation;
  /** The interest that was capitalised into the principal: 1.27 if 100 nominal owe 127. 1 if none was. */
  readonly factor: number;
  /** Whether it pays the better of two legs, of which only the fixed one is in these terms. */
  readonly isDual: boolean;
  /** Whether a payment on a day without a session moves to the next session. */
  readonly paysOnSession: boolean;
  /** The option of the issuer or of the holder, as a text. Options are not valued. */
  readonly option?: string;
  /** Whether two independent sources agree on the terms. */
  readonly isVerified: boolean;
  /** The state of the terms as the operator names it: `verificado`, or the doubt. */
  readonly state?: string;
  /** Where the terms come from, as a text. */
  readonly sources?: string;
  /** The day on which somebody compared the terms with their sources. */
  readonly reviewed?: PlainDate;
}

/** The tickers of all classes of an issue, that in pesos first. */
export function tickersOf({ ticker, series }: BondTerms): readonly Ticker[] {
  return [ticker, ...series];
}

/** Whether one of the classes of an issue is among some tickers. */
export function hasClassAmong(terms: BondTerms, tickers: ReadonlySet<Ticker>): boolean {
  return tickersOf(terms).some((ticker) => tickers.has(ticker));
}
