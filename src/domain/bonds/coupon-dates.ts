import { daysInMonth, type PlainDate } from '../calendar/plain-date.ts';
import type { BondTerms } from '../instruments/bond-terms.ts';
import { dayOf, daysBetween, monthOf, yearOf } from './day-count.ts';

type DatedTerms = Pick<BondTerms, 'couponDates' | 'maturity'>;

/**
 * All coupon dates of a bond in order, by contract. The last one is the maturity, even after a period that is
 * shorter than the others.
 */
export function couponDatesOf({ couponDates, maturity }: DatedTerms): readonly PlainDate[] {
  if (couponDates.type === 'at-maturity') return [maturity];
  if (couponDates.type === 'listed') {
    return [...couponDates.dates.filter((date) => date < maturity), maturity];
  }
  const { first, months } = couponDates;
  const day = dayOfMonth(first, maturity);
  const dates: PlainDate[] = [];
  for (let count = 0; ; count += months) {
    const date = monthsAfter(first, count, day);
    if (date >= maturity) return [...dates, maturity];
    dates.push(date);
  }
}

/** The number of coupons in a year. 1 for a bond with a single date. */
export function couponsPerYear({ couponDates }: Pick<BondTerms, 'couponDates'>): number {
  if (couponDates.type === 'regular') return 12 / couponDates.months;
  const { dates } = couponDates.type === 'listed' ? couponDates : { dates: [] };
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined || first === last) return 1;
  return Math.max(1, Math.round(((dates.length - 1) * 365.25) / daysBetween(first, last)));
}

/**
 * The day of the month on which coupons fall; in a shorter month they fall on its last day. A first coupon on
 * the last day of its month stands for a later day if the maturity has one: 30 June and 31 December.
 */
function dayOfMonth(first: PlainDate, maturity: PlainDate): number {
  const day = dayOf(first);
  const endsMonth = day === daysInMonth(yearOf(first), monthOf(first));
  return endsMonth ? Math.max(day, dayOf(maturity)) : day;
}

function monthsAfter(date: PlainDate, count: number, day: number): PlainDate {
  const months = yearOf(date) * 12 + monthOf(date) - 1 + count;
  const year = Math.floor(months / 12);
  const month = (months % 12) + 1;
  const parts = [month, Math.min(day, daysInMonth(year, month))];
  const [monthText, dayText] = parts.map((part) => String(part).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}-${monthText}-${dayText}` as PlainDate;
}
