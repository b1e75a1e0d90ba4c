import { AreaSeries, CandlestickSeries, HistogramSeries, LineSeries } from 'lightweight-charts';
import type { IChartApi, ISeriesApi, UTCTimestamp } from 'lightweight-charts';

import { wayOf } from '../../market/format/direction.ts';
import { formatCompact, formatPrice, formatRebased } from '../../market/format/numbers.ts';
import { changeOf } from './bars.ts';
import type { Bar, ChartTime } from './bars.ts';
import type { ChartContent } from './chart-content.ts';

/** One series of the chart library, and how it takes its values from a content. */
export interface Drawing {
  readonly series: ISeriesApi<'Area' | 'Candlestick' | 'Histogram' | 'Line'>;
  readonly fill: (content: ChartContent) => void;
}

type Colors = (name: string) => string;

/** The custom properties with the colours of the lines, in order. */
const lineColors = ['--line-1', '--line-2', '--line-3', '--line-4'];
/** The heights of the panes of the price and of the volume, as parts of the chart. */
const paneParts = [0.82, 0.18];

/** Adds the series of a content, without values. The first is that of the instrument itself. */
export function addDrawings(
  chart: IChartApi,
  content: ChartContent,
  color: Colors,
): readonly Drawing[] {
  if (content.lines.length > 1) {
    return content.lines.map((_, at) => comparedLine(chart, content, { at, color }));
  }
  const prices =
    content.style === 'candles'
      ? [candles(chart, color), closesWithoutRange(chart, color)]
      : [area(chart, color)];
  return content.hasVolume ? [...prices, volumes(chart, color)] : prices;
}

/** The colour of the tag of the price on the axis: that of the change of the day. */
export function tagColor({ lines, quote }: ChartContent, color: Colors): string {
  const bars = lines[0]?.bars ?? [];
  const last = bars.at(-1);
  const way = last === undefined ? '' : wayOf(changeOf(last, { bars, quote }));
  return color(way === '' ? '--muted' : `--${way}`);
}

/** A time as the library takes it. */
export function axisTime(time: ChartTime): string | UTCTimestamp {
  return time as string | UTCTimestamp;
}

function candles(chart: IChartApi, color: Colors): Drawing {
  const [up, down] = [color('--up'), color('--down')];
  const series = chart.addSeries(CandlestickSeries, {
    priceFormat: formatBy(formatPrice),
    upColor: up,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  });
  return { series, fill: (content) => series.setData(barsOf(content).map(candleOf)) };
}

/** A bar without a range is a dash at its close, on {@link closesWithoutRange}. */
function candleOf({ time, close, range }: Bar) {
  const { open, high, low } = range ?? { open: close, high: close, low: close };
  return { time: axisTime(time), open, high, low, close };
}

/** A line that connects the closes of the bars without a range. Elsewhere it is transparent. */
function closesWithoutRange(chart: IChartApi, color: Colors): Drawing {
  const series = chart.addSeries(LineSeries, {
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
  });
  const [line, none] = [color('--line-1'), 'rgba(0, 0, 0, 0)'];
  const fill = (content: ChartContent) =>
    series.setData(
      barsOf(content).map(({ time, close, range }) => ({
        time: axisTime(time),
        value: close,
        color: range === undefined ? line : none,
      })),
    );
  return { series, fill };
}

function area(chart: IChartApi, color: Colors): Drawing {
  const series = chart.addSeries(AreaSeries, {
    priceFormat: formatBy(formatPrice),
    lineColor: color('--line-1'),
    topColor: color('--area-top'),
    bottomColor: color('--area-bottom'),
    lineWidth: 2,
  });
  return { series, fill: (content) => series.setData(pointsOf(content, 0)) };
}

function comparedLine(
  chart: IChartApi,
  { lines }: ChartContent,
  { at, color }: { readonly at: number; readonly color: Colors },
): Drawing {
  const series = chart.addSeries(LineSeries, {
    priceFormat: formatBy(formatRebased),
    color: color(lineColors[at] ?? '--line-1'),
    lineWidth: 2,
    title: lines[at]?.ticker ?? '',
  });
  return { series, fill: (content) => series.setData(pointsOf(content, at)) };
}

function volumes(chart: IChartApi, color: Colors): Drawing {
  const series = chart.addSeries(
    HistogramSeries,
    {
      color: color('--volume'),
      priceFormat: formatBy(formatCompact),
      priceLineVisible: false,
      lastValueVisible: false,
    },
    1,
  );
  for (const [at, part] of paneParts.entries()) chart.panes()[at]?.setStretchFactor(part);
  const fill = (content: ChartContent) =>
    series.setData(
      barsOf(content).flatMap(({ time, volume }) =>
        volume === null ? [] : [{ time: axisTime(time), value: volume }],
      ),
    );
  return { series, fill };
}

function barsOf({ lines }: ChartContent): readonly Bar[] {
  return lines[0]?.bars ?? [];
}

function pointsOf({ lines }: ChartContent, at: number) {
  return (lines[at]?.points ?? []).map(({ time, value }) => ({ time: axisTime(time), value }));
}

/** The library passes further arguments, which the formats of the page would take for theirs. */
function formatBy(format: (value: number) => string) {
  const formatter = (value: number) => format(value);
  return { type: 'custom', formatter, minMove: 0.000_001 } as const;
}
