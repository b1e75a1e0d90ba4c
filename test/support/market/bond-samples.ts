import { makeBond, type Bond } from '../../../src/domain/bonds/bond.ts';
import { SessionCalendar } from '../../../src/domain/calendar/session-calendar.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { BondTerms } from '../../../src/domain/instruments/bond-terms.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { sketchMarkets } from './make-universe.ts';

export const day = (text: string) => text as PlainDate;

/** The calendar of BYMA in these tests: Monday to Friday, with four holidays in 2026. */
export const byma = ((): SessionCalendar => {
  const market = sketchMarkets.get('BYMA');
  if (market === undefined) throw new Error('the markets have no BYMA');
  return new SessionCalendar(market);
})();

/** Terms of a zero coupon bond in dollars. Each test gives what differs. */
export function makeTerms(terms: Partial<BondTerms> = {}): BondTerms {
  const maturity = terms.maturity ?? day('2028-06-30');
  return {
    ticker: 'XMPL' as Ticker,
    series: [],
    issued: day('2024-06-30'),
    maturity,
    currency: 'USD',
    couponDates: { type: 'at-maturity' },
    interest: { type: 'none' },
    dayCount: '30/360',
    amortisation: [{ from: maturity, to: maturity, percent: 100 }],
    factor: 1,
    isDual: false,
    paysOnSession: true,
    isVerified: true,
    ...terms,
  };
}

/** The step-up bond of 2030, with the terms that its law publishes. */
export const al30: BondTerms = makeTerms({
  ticker: 'AL30' as Ticker,
  series: ['AL30D' as Ticker, 'AL30C' as Ticker],
  issued: day('2020-09-04'),
  maturity: day('2030-07-09'),
  couponDates: { type: 'regular', months: 6, first: day('2021-07-09') },
  interest: {
    type: 'fixed',
    steps: [
      { from: day('2020-09-04'), percent: 0.125 },
      { from: day('2021-07-09'), percent: 0.5 },
      { from: day('2023-07-09'), percent: 0.75 },
      { from: day('2027-07-09'), percent: 1.75 },
    ],
  },
  amortisation: [
    { from: day('2024-07-09'), to: day('2024-07-09'), percent: 4 },
    { from: day('2025-01-09'), to: day('2030-07-09'), percent: 8 },
  ],
});

/** A bill that capitalises 2.3 % a month. */
export const lecap: BondTerms = makeTerms({
  ticker: 'S30N6' as Ticker,
  issued: day('2025-12-15'),
  maturity: day('2026-11-30'),
  currency: 'ARS',
  interest: { type: 'capitalised', monthlyPercent: 2.3 },
});

/** A zero coupon bond that CER adjusts. */
export const cerZero: BondTerms = makeTerms({
  ticker: 'TZXD7' as Ticker,
  issued: day('2024-03-15'),
  maturity: day('2027-12-15'),
  currency: 'ARS',
  indexation: { index: 'CER', lagDays: 10, base: 271.0476 },
});

export function sampleBond(terms: BondTerms): Bond {
  return makeBond(terms, byma);
}
