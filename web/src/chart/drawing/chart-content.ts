import type { Quote } from '../../market/api/quote.ts';
import { formatFixed, formatPrice, formatRebased } from '../../market/format/numbers.ts';
import type { RangeCode } from '../../places/route.ts';
import type { ActionMark } from './actions.ts';
import { canDrawCandles, type Bar, type ChartStyle, type ChartTime } from './bars.ts';
import { emptyTimesOf, type Span } from './empty-days.ts';

/** One point of a line. */
export interface Point {
  readonly time: ChartTime;
  readonly value: number;
}

/** What a line of the chart is made of. */
export interface LineSource {
  /** A ticker, the two of a quotient, or a figure of an instrument. */
  readonly name: string;
  /** The unit of its values. Empty for a quotient. */
  readonly unit: string;
  /** The number of its colour. */
  readonly color: number;
  readonly bars: readonly Bar[];
}

/** One line of the chart. */
export interface ChartLine extends LineSource {
  /** Whether it is a quotient, whose name is not that of the page. */
  readonly isPair: boolean;
  /** The drawn values: the closes, rebased to 100 if changes are compared. */
  readonly points: readonly Point[];
}

/** The parts of a chart that overlays have beside that of the price, from top to bottom. */
export const overlayPanes = ['rsi', 'macd'] as const;

/** Values computed from the first line of the chart: an average, another indicator, or the weighted price. */
export interface Overlay {
  /** Short, because it is also beside its last value on the axis. */
  readonly name: string;
  /** The custom property with its colour. */
  readonly color: string;
  /** Where it is drawn: on the scale of the first line, or in a part of its own. */
  readonly pane: 'price' | (typeof overlayPanes)[number];
  /** Whether it is drawn with dashes. */
  readonly isDashed: boolean;
  /** Whether its values are bars from zero. */
  readonly isBars: boolean;
  /** The values at which its part has a line. */
  readonly levels: readonly number[];
  readonly points: readonly Point[];
}

/** What the values of an overlay are: prices, changes from the base of the lines, or an index. */
export function valueKindOf(
  { isRebased }: Pick<ChartContent, 'isRebased'>,
  overlay: Pick<Overlay, 'pane'> | undefined,
): 'price' | 'change' | 'index' {
  if (overlay?.pane === 'rsi') return 'index';
  return isRebased && overlay?.pane === 'price' ? 'change' : 'price';
}

const formats = {
  price: (value: number | undefined) => formatPrice(value),
  change: formatRebased,
  index: (value: number | undefined) => formatFixed(value, 2),
};

/** How the values of an overlay are written. */
export function formatOf(
  content: Pick<ChartContent, 'isRebased'>,
  overlay: Pick<Overlay, 'pane'> | undefined,
): (value: number | undefined) => string {
  return formats[valueKindOf(content, overlay)];
}

/** A price at which the chart has a line across: one that the user drew, or that of an alert. */
export interface Level {
  readonly price: number;
  readonly isAlert: boolean;
}

/** The content of a chart. */
export interface ChartContent {
  /** Identifies the view. A content of the same view has newer values, and keeps the zoom. */
  readonly view: string;
  /** The first line is the instrument itself. The others are compared with it. Pairs are lines too. */
  readonly lines: readonly ChartLine[];
  /** Whether the lines are changes from a common day. Otherwise each has a scale of its own. */
  readonly isRebased: boolean;
  /** Whether the prices are expressed in a dollar, which the axis names. */
  readonly isConverted: boolean;
  readonly overlays: readonly Overlay[];
  /** The times of the axis: all at which a line has a value, in order. */
  readonly times: readonly ChartTime[];
  /** How the instrument is drawn. Compared instruments are always lines. */
  readonly style: ChartStyle;
  /** The quote of the instrument, whose change its last bar has. Undefined if its prices are not shown. */
  readonly quote: Quote | undefined;
  /** Whether the volumes of the instrument are drawn. */
  readonly hasVolume: boolean;
  readonly marks: readonly ActionMark[];
  readonly levels: readonly Level[];
  /** The times that the axis has beside {@link times}, because the range or the session has them too. */
  readonly emptyTimes: readonly ChartTime[];
  /** The days of the range. Undefined for intraday bars and for whole series. */
  readonly span: Span | undefined;
  /** The first visible time. */
  readonly from: ChartTime;
  readonly isIntraday: boolean;
  readonly isLog: boolean;
}

/** What a chart shows. Absent options have the defaults of {@link chartContent}. */
type ContentOptions = Partial<
  Pick<ChartContent, 'isRebased' | 'isConverted' | 'marks' | 'levels' | 'isLog'>
> &
  Pick<ChartContent, 'quote' | 'span'> & {
    readonly sources: readonly LineSource[];
    readonly isPair?: boolean;
    readonly range: RangeCode;
    /** The first time of the values of a comparison. */
    readonly base?: ChartTime;
    /** When the session in progress ends, as a time of the chart. */
    readonly end: number | undefined;
    /** How the visitor wants prices to be drawn. */
    readonly wanted: ChartStyle;
    /** Further choices of the user. A chart with others is another view, whose zoom begins anew. */
    readonly choices?: readonly unknown[];
  };

/** The content of a chart, without overlays. */
export function chartContent({
  sources,
  isPair = false,
  range,
  span,
  end,
  wanted,
  quote,
  isRebased = false,
  isConverted = false,
  marks = [],
  levels = [],
  isLog = false,
  choices = [],
  ...options
}: ContentOptions): ChartContent {
  const own = sources[0]?.bars ?? [];
  const isIntraday = typeof own[0]?.time === 'number';
  const base = options.base ?? (isIntraday ? 0 : '');
  const from = span?.first ?? base;
  const lines = linesOf(sources, { from: base, isRebased, isPair });
  const times = timesOf(lines);
  const style = wanted === 'candles' && canDrawCandles(own, from) ? 'candles' : 'line';
  const hasVolume = own.some(({ volume }) => volume !== null && volume > 0);
  const drawn = lines.map(({ name, unit, bars }) => [name, unit, bars.length > 0]);
  return {
    view: JSON.stringify([range, style, hasVolume, isLog, marks.length, drawn, choices]),
    lines,
    isRebased,
    isConverted,
    overlays: [],
    times,
    emptyTimes: emptyTimesOf(times, { span, range, end }),
    span,
    style,
    quote,
    hasVolume,
    marks,
    levels,
    from,
    isIntraday,
    isLog,
  };
}

/** The lines of a chart. Those of changes begin with `from`; the others have all their bars. */
export function linesOf(
  sources: readonly LineSource[],
  {
    from,
    isRebased,
    isPair = false,
  }: { readonly from: ChartTime; readonly isRebased: boolean; readonly isPair?: boolean },
): readonly ChartLine[] {
  const bars = sources.map((one) => one.bars);
  const points = isRebased
    ? rebasedPoints(bars, from)
    : bars.map((own) => pricePoints(own, beginningOf(from)));
  return sources.map((source, at) => ({ ...source, isPair, points: points[at] ?? [] }));
}

/** The unchanged closes from a time on. */
export function pricePoints(bars: readonly Bar[], from: ChartTime): readonly Point[] {
  return bars.filter(({ time }) => time >= from).map(({ time, close }) => ({ time, value: close }));
}

/** The first time, from `from` on, at which all series have started. */
export function commonStart(series: readonly (readonly Bar[])[], from: ChartTime): ChartTime {
  return series
    .map((bars) => bars.find(({ time }) => time >= from)?.time)
    .reduce<ChartTime>((latest, one) => (one !== undefined && one > latest ? one : latest), from);
}

/**
 * Several series, rebased to 100 at their {@link commonStart}, so that they can be compared. A series
 * whose base is not above zero cannot be rebased and is empty.
 */
export function rebasedPoints(
  series: readonly (readonly Bar[])[],
  from: ChartTime,
): readonly (readonly Point[])[] {
  const common = commonStart(series, from);
  return series.map((bars) => {
    const points = pricePoints(bars, common);
    const base = points[0]?.value ?? 0;
    if (base <= 0) return [];
    return points.map(({ time, value }) => ({ time, value: (value / base) * 100 }));
  });
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
