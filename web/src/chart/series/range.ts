import {
  intradayCodes,
  rangeCodes,
  type DailyCode,
  type IntradayCode,
  type RangeCode,
} from '../../places/route.ts';
import type { Span } from '../drawing/empty-days.ts';

const monthsOf: Readonly<Record<Exclude<DailyCode, 'max'>, number>> = {
  '1m': 1,
  '3m': 3,
  '6m': 6,
  '1a': 12,
  '3a': 36,
  '5a': 60,
};

/** A day before every series: the value of `desde` for the whole series. */
export const beginning = '1900-01-01';

/**
 * The first day of a range that ends today. In a month that is too short, it is the last day.
 */
export function rangeStart(today: string, range: DailyCode): string {
  if (range === 'max') return beginning;
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const months = year * 12 + (month - 1) - monthsOf[range];
  const [startYear, startMonth] = [Math.floor(months / 12), months % 12];
  const daysInMonth = new Date(Date.UTC(startYear, startMonth + 1, 0)).getUTCDate();
  const start = new Date(Date.UTC(startYear, startMonth, Math.min(day, daysInMonth)));
  return start.toISOString().slice(0, 10);
}

/** The days of a range that ends today. Undefined for intraday bars and for whole series. */
export function rangeSpan(today: string, range: RangeCode): Span | undefined {
  if (range === 'max' || isIntradayRange(range)) return undefined;
  return { first: rangeStart(today, range), last: today };
}

/** Whether the bars of a range are intraday bars. */
export function isIntradayRange(range: RangeCode): range is IntradayCode {
  return intradayCodes.some((code) => code === range);
}

/** The names of the ranges of a chart. */
export const rangeNames: Readonly<Record<RangeCode, string>> = {
  '1d': '1 día',
  '5d': '5 días',
  '1m': '1 mes',
  '3m': '3 meses',
  '6m': '6 meses',
  '1a': '1 año',
  '3a': '3 años',
  '5a': '5 años',
  max: 'Todo',
};

/** The ranges of a chart, for a control that selects one. */
export const rangeChoices = rangeCodes.map((value) => ({
  value,
  name: value === 'max' ? 'Todo' : value,
  meaning: rangeNames[value],
}));
