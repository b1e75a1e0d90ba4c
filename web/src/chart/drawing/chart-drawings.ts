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

import {
  wayOf,
  decimalsIn,
  formatCompact,
  formatPrice,
  formatRebased,
} from '../../market/format/numbers.ts';
import { changeOf, type Bar, type ChartTime } from './bars.ts';
import {
  formatOf,
  overlayPanes,
  valueKindOf,
  type ChartContent,
  type Overlay,
  type Point,
} from './chart-content.ts';

/** A value as the library takes it. */
export type Datum = CandlestickData | HistogramData | LineData;

/** One series of the chart library, and its values in a content. */
export interface Drawing {
  readonly series: ISeriesApi<'Area' | 'Candlestick' | 'Histogram' | 'Line'>;
  readonly valuesOf: (content: ChartContent) => readonly Datum[];
}

type Colors = (name: string) => string;

/** Below this width, in pixels, the chart has no room for the names of lines beside their last values. */
const tagWidthMin = 600;
/** The width of a character of a name, and of what is around it, in pixels. */
const tagSizes = { character: 6.5, around: 14 };
/** The heights of the parts of a chart, as shares. */
const paneShares = { price: 0.82, volume: 0.18, overlay: 0.3 };

/** Adds the series of a content, without values. The first is that of the instrument itself. */
export function addDrawings(
  chart: IChartApi,
  content: ChartContent,
  color: Colors,
): readonly Drawing[] {
  // The parts of the chart are made from top to bottom.
  const hasVolumes = panesOf(content).includes('volume');
  const volume = hasVolumes ? [volumes(chart, color)] : [];
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
  return [...prices, ...overlays, ...volume];
}

/** The parts of a chart from top to bottom: the price, the volume, and those of overlays. */
function panesOf({ lines, hasVolume, overlays }: ChartContent): readonly string[] {
  return [
    'price',
    ...(hasVolume && lines.length === 1 ? ['volume'] : []),
    ...overlayPanes.filter((pane) => overlays.some((one) => one.pane === pane)),
  ];
}

/** Gives the parts of a chart their heights. */
export function sizePanes(chart: IChartApi, content: ChartContent): void {
  for (const [at, name] of panesOf(content).entries()) {
    const share = name === 'price' || name === 'volume' ? paneShares[name] : paneShares.overlay;
    chart.panes()[at]?.setStretchFactor(share);
  }
}

/** The width of the longest name beside the last values, in pixels, for which the chart leaves room. */
export function tagWidth(chart: IChartApi, content: ChartContent): number {
  if (!isTagged(chart)) return 0;
  const { lines, overlays } = content;
  const names = lines.length > 1 ? lines.map((_, at) => nameOf(content, at)) : [tagOf(content)];
  const length = Math.max(
    ...[...names, ...overlays.map(({ name }) => name)].map((one) => one.length),
  );
  return length === 0 ? 0 : length * tagSizes.character + tagSizes.around;
}

/** The name of one of several lines, with its unit where that is not its own. */
function nameOf({ lines, isConverted }: ChartContent, at: number): string {
  const { name = '', unit = '' } = lines[at] ?? {};
  return isConverted ? `${name} ${unit}`.trim() : name;
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
    title: isTagged(chart) ? tagOf(content) : '',
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
    title: isTagged(chart) ? tagOf(content) : '',
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
  const { color: number = 1 } = content.lines[at] ?? {};
  const series = chart.addSeries(LineSeries, {
    priceFormat: content.isRebased ? formatBy(formatRebased) : priceFormat,
    priceScaleId: scaleOf(content, at),
    color: color(`--line-${number}`),
    lineWidth: 2,
    title: isTagged(chart) ? nameOf(content, at) : '',
  });
  return { series, valuesOf: ({ lines }) => pointsOf(lines[at]) };
}

/** Whether there is room for the names of lines beside their last values. The legend has them too. */
function isTagged(chart: IChartApi): boolean {
  return chart.chartElement().clientWidth >= tagWidthMin;
}

/** Values computed from the first line, on its scale or in a part of their own. */
function overlay(
  chart: IChartApi,
  content: ChartContent,
  { at, color }: { readonly at: number; readonly color: Colors },
): Drawing {
  const own = content.overlays[at];
  const options = {
    priceFormat:
      valueKindOf(content, own) === 'price' ? priceFormat : formatBy(formatOf(content, own)),
    color: color(own?.color ?? '--line-1'),
    priceLineVisible: false,
    title: isTagged(chart) ? (own?.name ?? '') : '',
  };
  const pane = Math.max(0, panesOf(content).indexOf(own?.pane ?? 'price'));
  const series =
    own?.isBars === true
      ? chart.addSeries(HistogramSeries, options, pane)
      : chart.addSeries(LineSeries, { ...options, ...lineOf(own) }, pane);
  for (const price of own?.levels ?? []) {
    series.createPriceLine({
      price,
      color: color('--faint'),
      lineStyle: LineStyle.Dotted,
      lineWidth: 1,
      axisLabelVisible: false,
    });
  }
  return { series, valuesOf: (latest) => pointsOf(latest.overlays[at]) };
}

function lineOf(own: Overlay | undefined) {
  return {
    lineWidth: own?.pane === 'price' ? 2 : 1,
    lineStyle: own?.isDashed === true ? LineStyle.Dashed : LineStyle.Solid,
    crosshairMarkerVisible: false,
  } as const;
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
