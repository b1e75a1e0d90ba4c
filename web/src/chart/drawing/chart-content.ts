import type { Quote } from '../../market/api/quote.ts';
import type { ActionMark } from './actions.ts';
import type { Bar, ChartStyle, ChartTime } from './bars.ts';
import type { Span } from './empty-days.ts';
import { pricePoints, rebasedPoints } from './rebase.ts';
import type { Point } from './rebase.ts';

/** One line of the chart. */
export interface ChartLine {
  readonly ticker: string;
  readonly bars: readonly Bar[];
  /** The drawn values: the closes, rebased to 100 if instruments are compared. */
  readonly points: readonly Point[];
}

/** The content of a chart. */
export interface ChartContent {
  /** Identifies the view. A content of the same view has newer values, and keeps the zoom. */
  readonly view: string;
  /** The first line is the instrument itself. The others are compared with it. */
  readonly lines: readonly ChartLine[];
  /** The times of the axis: all at which a line has a value, in order. */
  readonly times: readonly ChartTime[];
  /** How the instrument is drawn. Compared instruments are always lines. */
  readonly style: ChartStyle;
  /** The quote of the instrument, whose change its last bar has. */
  readonly quote: Quote | undefined;
  /** Whether the volumes of the instrument are drawn. */
  readonly hasVolume: boolean;
  readonly marks: readonly ActionMark[];
  /** The weekdays of the range that the axis has beside the times, because no line has a value there. */
  readonly emptyDays: readonly string[];
  /** The days of the range. Undefined for intraday bars and for whole series. */
  readonly span: Span | undefined;
  /** The first visible time. */
  readonly from: ChartTime;
  readonly isIntraday: boolean;
  readonly isLog: boolean;
}

/** The lines of instruments, rebased if there are several. The first has all its bars if it is alone. */
export function linesOf(
  tickers: readonly string[],
  series: readonly (readonly Bar[])[],
  from: ChartTime,
): readonly ChartLine[] {
  const [own = []] = series;
  const points =
    tickers.length > 1 ? rebasedPoints(series, from) : [pricePoints(own, beginningOf(from))];
  return tickers.map((ticker, at) => ({
    ticker,
    bars: series[at] ?? [],
    points: points[at] ?? [],
  }));
}

/** All times at which a line has a value, in order. Instruments of other markets have other days. */
export function timesOf(lines: readonly ChartLine[]): readonly ChartTime[] {
  const [own = [], ...others] = lines.map(({ points }) => points.map(({ time }) => time));
  if (others.length === 0) return own;
  return [...new Set([own, ...others].flat())].toSorted((a, b) => (a < b ? -1 : 1));
}

/** The last of some items at a time or before it. Undefined before the first one. */
export function lastAt<T extends { readonly time: ChartTime }>(
  items: readonly T[],
  time: ChartTime | undefined,
): T | undefined {
  return time === undefined ? undefined : items.findLast((one) => one.time <= time);
}

function beginningOf(time: ChartTime): ChartTime {
  return typeof time === 'string' ? '' : 0;
}
