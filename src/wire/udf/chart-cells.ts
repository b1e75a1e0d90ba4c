import type { AdjustedSeries } from '../../domain/history/adjust-series.ts';
import type { BarSeries } from '../../domain/history/daily-close.ts';
import { rulesOf, type Instrument } from '../../domain/instruments/instrument.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { volumeDecimals } from '../bodies/bar-body.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { formatNumber, formatValue } from '../texts/number.ts';

export const secondsPerDay = 86_400;
const secondsPerMinute = 60;

/** The members of a response of `/udf/history` besides `s`, in their order. */
export const chartMembers = ['t', 'o', 'h', 'l', 'c', 'v'] as const;

export type ChartMember = (typeof chartMembers)[number];

/** One bar of a chart: the text of each member, without nulls, and its start. */
export interface ChartCells extends Readonly<Record<ChartMember, string>> {
  /** The start of the bar, in seconds since 1970. */
  readonly time: number;
  /** Whether the open, the high or the low is known. If not, they are texts of the close. */
  readonly hasRange: boolean;
}

/** The body for a request that no bar matches. It has no `nextTime` (contract 4.15.7). */
export const noDataJson = '{"s":"no_data"}';

/** The members of the bars of an instrument that a response has. */
export function shownMembers(instrument: Instrument, hasRange: boolean): readonly ChartMember[] {
  const { hasVolume } = rulesOf(instrument);
  return chartMembers.filter((member) => {
    if (member === 'v') return hasVolume;
    return hasRange || member === 't' || member === 'c';
  });
}

/** The bars of daily closes. A bar starts at 00:00 UTC of its date. */
export function cellsOfCloses(
  instrument: Instrument,
  series: AdjustedSeries<BarSeries>,
): readonly ChartCells[] {
  const { days, opens, highs, lows, closes, volumes, adjustedRows } = series;
  return Array.from(days, (day, row) => {
    // An adjusted value is rounded already, and may have more decimals than its instrument.
    const format = row < adjustedRows ? formatExactNumber : usual(instrument);
    return cells(day * secondsPerDay, format, {
      open: known(opens[row]),
      high: known(highs[row]),
      low: known(lows[row]),
      close: closes[row] ?? Number.NaN,
      volume: formatExactNumber(known(volumes[row]) ?? 0),
    });
  });
}

/** The bar of the session of a quote. */
export function cellsOfQuote(quote: Quote): ChartCells {
  const { instrument, sessionDate, open, high, low, last, volume } = quote;
  return cells(toEpochDay(sessionDate) * secondsPerDay, usual(instrument), {
    open,
    high,
    low,
    close: last,
    volume: formatExactNumber(volume ?? 0),
  });
}

/** The bars of an interval within sessions. */
export function cellsOfBars(instrument: Instrument, bars: readonly Bar[]): readonly ChartCells[] {
  const format = usual(instrument);
  return bars.map(({ minute, open, high, low, last, volume }) =>
    cells(minute * secondsPerMinute, format, {
      open,
      high,
      low,
      close: last,
      volume: formatNumber(volume ?? 0, volumeDecimals),
    }),
  );
}

/**
 * The cells of one bar. What is not known is replaced, because the library makes NaN of a null: the open by
 * the close, the high and the low by the higher and the lower of both. A high below the close, as some sources
 * report, is raised to it, and a low is lowered.
 */
function cells(
  time: number,
  format: (value: number) => string,
  bar: {
    readonly open: number | undefined;
    readonly high: number | undefined;
    readonly low: number | undefined;
    readonly close: number;
    readonly volume: string;
  },
): ChartCells {
  const { close, open = close, volume } = bar;
  const top = Math.max(open, close);
  const bottom = Math.min(open, close);
  return {
    time,
    hasRange: (bar.open ?? bar.high ?? bar.low) !== undefined,
    t: String(time),
    o: format(open),
    h: format(Math.max(bar.high ?? top, top)),
    l: format(Math.min(bar.low ?? bottom, bottom)),
    c: format(close),
    v: volume,
  };
}

function usual(instrument: Instrument): (value: number) => string {
  return (value) => formatValue(value, instrument);
}

function known(value = Number.NaN): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
