import type { Quote } from '../../market/api/quote.ts';
import type { RangeCode } from '../../places/route.ts';
import { canDrawCandles, type Bar, type ChartStyle } from './bars.ts';
import { linesOf, timesOf, type ChartContent } from './chart-content.ts';
import { emptyTimesOf, type Span } from './empty-days.ts';

/** The content of a chart of one instrument, without comparisons and marks. */
export function soleContent({
  ticker,
  unit,
  range,
  bars,
  quote,
  span,
  end,
  wanted,
}: {
  readonly ticker: string;
  /** The currency or the unit of its prices. */
  readonly unit: string;
  readonly range: RangeCode;
  readonly bars: readonly Bar[];
  readonly quote: Quote | undefined;
  /** The days of the range. Undefined for intraday bars and for whole series. */
  readonly span: Span | undefined;
  /** When the session in progress ends, as a time of the chart. */
  readonly end: number | undefined;
  /** How the visitor wants prices to be drawn. */
  readonly wanted: ChartStyle;
}): ChartContent {
  const isIntraday = typeof bars[0]?.time === 'number';
  const from = span?.first ?? (isIntraday ? 0 : '');
  const style = wanted === 'candles' && canDrawCandles(bars, from) ? 'candles' : 'line';
  const hasVolume = bars.some(({ volume }) => volume !== null && volume > 0);
  const lines = linesOf(
    { names: [ticker], units: [unit], colors: [1], bars: [bars] },
    { from, isRebased: false },
  );
  const times = timesOf(lines);
  return {
    view: JSON.stringify([ticker, unit, range, style, hasVolume, bars.length > 0]),
    lines,
    isRebased: false,
    isConverted: false,
    overlays: [],
    levels: [],
    times,
    emptyTimes: emptyTimesOf(times, { span, range, end }),
    span,
    style,
    quote,
    hasVolume,
    marks: [],
    from,
    isIntraday,
    isLog: false,
  };
}
