import {
  AreaSeries,
  CandlestickSeries,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type CandlestickData,
  type HistogramData,
  type IChartApi,
  type ISeriesApi,
  type LineData,
  type UTCTimestamp,
} from 'lightweight-charts';

import { wayOf } from '../../market/format/direction.ts';
import {
  decimalsIn,
  formatCompact,
  formatPrice,
  formatRebased,
} from '../../market/format/numbers.ts';
import { changeOf, type Bar, type ChartTime } from './bars.ts';
import type { ChartContent } from './chart-content.ts';
import type { Point } from './rebase.ts';

/** A value as the library takes it. */
export type Datum = CandlestickData | HistogramData | LineData;

/** One series of the chart library, and its values in a content. */
export interface Drawing {
  readonly series: ISeriesApi<'Area' | 'Candlestick' | 'Histogram' | 'Line'>;
  readonly valuesOf: (content: ChartContent) => readonly Datum[];
}

type Colors = (name: string) => string;

/** Below this width, in pixels, the names of overlays would cover a part of the chart. */
const tagWidthMin = 600;
/** The heights of the panes of the price and of the volume, as parts of the chart. */
const paneParts = [0.82, 0.18];

/** Adds the series of a content, without values. The first is that of the instrument itself. */
export function addDrawings(
  chart: IChartApi,
  content: ChartContent,
  color: Colors,
): readonly Drawing[] {
  const overlays = content.overlays.map((_, at) => overlay(chart, content, { at, color }));
  // The library draws later series above earlier ones, and the first one of all is the instrument.
  if (content.lines.length > 1) {
    return [
      ...content.lines.map((_, at) => severalLine(chart, content, { at, color })),
      ...overlays,
    ];
  }
  const prices =
    content.style === 'candles'
      ? [candles(chart, content, color), closesWithoutRange(chart, color)]
      : [area(chart, content, color)];
  const all = [...prices, ...overlays];
  return content.hasVolume ? [...all, volumes(chart, color)] : all;
}

/** The scales of lines that are not rebased. The third one has no axis: its values are in the legend. */
const ownScales = ['right', 'left', 'third'];

/** The scale of a line. */
function scaleOf({ isRebased }: ChartContent, at: number): string {
  return isRebased ? 'right' : (ownScales[at] ?? 'right');
}

/** Whether the chart needs an axis at its left. */
export function hasLeftAxis({ lines, isRebased }: ChartContent): boolean {
  return !isRebased && lines.length > 1;
}

/** The name of a pair, or of the currency of an instrument alone where it is not its own. */
function tagOf({ lines: [own], isConverted }: ChartContent): string {
  if (own === undefined) return '';
  return [own.isPair ? own.name : '', isConverted ? own.unit : ''].join(' ').trim();
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

function candles(chart: IChartApi, content: ChartContent, color: Colors): Drawing {
  const [up, down] = [color('--up'), color('--down')];
  const series = chart.addSeries(CandlestickSeries, {
    priceFormat,
    title: tagOf(content),
    upColor: up,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  });
  return { series, valuesOf: (latest) => barsOf(latest).map(candleOf) };
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
  const valuesOf = (latest: ChartContent) =>
    barsOf(latest).map(({ time, close, range }) => ({
      time: axisTime(time),
      value: close,
      color: range === undefined ? line : none,
    }));
  return { series, valuesOf };
}

function area(chart: IChartApi, content: ChartContent, color: Colors): Drawing {
  const series = chart.addSeries(AreaSeries, {
    priceFormat,
    title: tagOf(content),
    lineColor: color('--line-1'),
    topColor: color('--area-top'),
    bottomColor: color('--area-bottom'),
    lineWidth: 2,
  });
  return { series, valuesOf: ({ lines }) => pointsOf(lines[0]) };
}

/** One of several lines: a change, or a pair on a scale of its own. */
function severalLine(
  chart: IChartApi,
  content: ChartContent,
  { at, color }: { readonly at: number; readonly color: Colors },
): Drawing {
  const { name = '', unit = '', color: number = 1 } = content.lines[at] ?? {};
  const series = chart.addSeries(LineSeries, {
    priceFormat: content.isRebased ? formatBy(formatRebased) : priceFormat,
    priceScaleId: scaleOf(content, at),
    color: color(`--line-${number}`),
    lineWidth: 2,
    title: content.isConverted ? `${name} ${unit}`.trim() : name,
  });
  return { series, valuesOf: ({ lines }) => pointsOf(lines[at]) };
}

/** Whether there is room for the names of overlays beside their last values. The legend has them too. */
function isTagged(chart: IChartApi): boolean {
  return chart.chartElement().clientWidth >= tagWidthMin;
}

/** A line computed from the first one, which is on its scale. */
function overlay(
  chart: IChartApi,
  { isRebased, overlays }: ChartContent,
  { at, color }: { readonly at: number; readonly color: Colors },
): Drawing {
  const own = overlays[at];
  const series = chart.addSeries(LineSeries, {
    priceFormat: isRebased ? formatBy(formatRebased) : priceFormat,
    color: color(own?.color ?? '--line-1'),
    lineWidth: 2,
    lineStyle: own?.isDashed === true ? LineStyle.Dashed : LineStyle.Solid,
    priceLineVisible: false,
    crosshairMarkerVisible: false,
    title: isTagged(chart) ? (own?.tag ?? '') : '',
  });
  return { series, valuesOf: (latest) => pointsOf(latest.overlays[at]) };
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
  return { series, valuesOf: volumesOf };
}

function volumesOf(content: ChartContent) {
  return barsOf(content).flatMap(({ time, volume }) =>
    volume === null ? [] : [{ time: axisTime(time), value: volume }],
  );
}

function barsOf({ lines }: ChartContent): readonly Bar[] {
  return lines[0]?.bars ?? [];
}

function pointsOf(line: { readonly points: readonly Point[] } | undefined) {
  return (line?.points ?? []).map(({ time, value }) => ({ time: axisTime(time), value }));
}

/** The library passes further arguments, which the formats of the page would take for theirs. */
function formatBy(format: (value: number) => string) {
  const formatter = (value: number) => format(value);
  return { type: 'custom', formatter, minMove: 0.000_001 } as const;
}

/** The prices beside the axis have the same number of decimals. */
const priceFormat = {
  ...formatBy(formatPrice),
  tickmarksFormatter: (prices: readonly number[]) => {
    const decimals = Math.max(...prices.map((price) => decimalsIn(formatPrice(price))));
    return prices.map((price) => formatPrice(price, decimals));
  },
} as const;
