import type { BondTerms } from './bond-terms.ts';
import { termsFields, type IssueTerms, type TermsField } from './issue-terms.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';

/** The value of each field (contract 4.4.4, 4.4.5). The lists are texts in the form of `bonds.csv`. */
export const termsValues: Readonly<
  Record<TermsField, (terms: BondTerms) => string | number | undefined>
> = {
  isin: ({ isin }) => isin,
  law: ({ law }) => law,
  flowCurrency: ({ currency }) => currency,
  option: ({ option }) => option,
  termsState: ({ state }) => state,
  termsReviewed: ({ reviewed }) => reviewed,
  termsSources: ({ sources }) => sources,
  maturity: ({ maturity }) => maturity,
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

/** The terms of an issue as clients get them. */
export function issueTermsOf(terms: BondTerms): IssueTerms {
  const values = termsFields.flatMap((field) => {
    const value = termsValues[field](terms);
    return value === undefined ? [] : [[field, value]];
  });
  const { ticker, series } = terms;
  return { ticker, series, values: Object.fromEntries(values) as IssueTerms['values'] };
}
