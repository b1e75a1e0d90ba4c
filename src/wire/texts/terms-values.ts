import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import { formatExactNumber } from './number.ts';

/** The fields of an instrument on request that are the terms of its issue. */
export type TermsField =
  | 'issue'
  | 'issued'
  | 'couponMonths'
  | 'firstCoupon'
  | 'couponDates'
  | 'rates'
  | 'dayCount'
  | 'amortisation'
  | 'index'
  | 'indexLag'
  | 'indexBase'
  | 'margin'
  | 'factor'
  | 'monthlyRate'
  | 'dual'
  | 'paymentDay';

/** The value of each field (contract 4.4.5). The lists are texts in the form of `bonds.csv`. */
export const termsValues: Readonly<
  Record<TermsField, (terms: BondTerms) => string | number | undefined>
> = {
  issue: ({ ticker }) => ticker,
  issued: ({ issued }) => issued,
  couponMonths: ({ couponDates: dates }) => (dates.type === 'regular' ? dates.months : undefined),
  firstCoupon: ({ couponDates: dates }) => (dates.type === 'regular' ? dates.first : undefined),
  couponDates: ({ couponDates: listed }) =>
    listed.type === 'listed' ? listed.dates.join(' ') : undefined,
  rates: ({ interest }) =>
    interest.type === 'fixed'
      ? interest.steps.map(({ from, percent }) => `${from}=${formatExactNumber(percent)}`).join(';')
      : undefined,
  dayCount: ({ dayCount, interest: { type } }) =>
    type === 'fixed' || type === 'floating' ? dayCount : undefined,
  amortisation: ({ amortisation }) =>
    amortisation
      .map(({ from, to, percent }) => {
        const days = from === to ? from : `${from}/${to}`;
        return `${days}=${formatExactNumber(percent)}`;
      })
      .join(';'),
  index: ({ indexation, interest }) =>
    indexation?.index ?? (interest.type === 'floating' ? interest.index : undefined),
  indexLag: ({ indexation }) => indexation?.lagDays,
  indexBase: ({ indexation }) => indexation?.base,
  margin: ({ interest }) => (interest.type === 'floating' ? interest.marginPercent : undefined),
  factor: ({ factor }) => factor,
  monthlyRate: ({ interest }) =>
    interest.type === 'capitalised' ? interest.monthlyPercent : undefined,
  dual: ({ isDual }) => (isDual ? 'max' : undefined),
  paymentDay: ({ paysOnSession }) => (paysOnSession ? 'siguiente' : undefined),
};
