import type { ActionMark } from './actions.ts';
import type { Bar, ChartStyle, ChartTime } from './bars.ts';
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
  /** How the instrument is drawn. Compared instruments are always lines. */
  readonly style: ChartStyle;
  /** Whether the volumes of the instrument are drawn. */
  readonly hasVolume: boolean;
  readonly marks: readonly ActionMark[];
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

function beginningOf(time: ChartTime): ChartTime {
  return typeof time === 'string' ? '' : 0;
}
