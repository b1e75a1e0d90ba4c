import type { Quote } from '../../market/api/quote.ts';
import { formatFixed, formatPrice, formatRebased } from '../../market/format/numbers.ts';
import type { ActionMark } from './actions.ts';
import type { Bar, ChartStyle, ChartTime } from './bars.ts';
import type { Span } from './empty-days.ts';
import { pricePoints, rebasedPoints, type Point } from './rebase.ts';

/** One line of the chart. */
export interface ChartLine {
  /** A ticker, or the two of a quotient or a difference. */
  readonly name: string;
  /** The unit of its values. Empty for a quotient. */
  readonly unit: string;
  /** The number of its colour. */
  readonly color: number;
  /** Whether it is a quotient or a difference, whose name is not that of the page. */
  readonly isPair: boolean;
  readonly bars: readonly Bar[];
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

/** The names, the units, the numbers of the colours and the bars of lines, in the same order. */
export interface ChartLines {
  readonly names: readonly string[];
  readonly units: readonly string[];
  readonly colors: readonly number[];
  readonly bars: readonly (readonly Bar[])[];
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

/** The lines of a chart. Those of changes begin with `from`; the others have all their bars. */
export function linesOf(
  { names, units, colors, bars }: ChartLines,
  {
    from,
    isRebased,
    isPair = false,
  }: { readonly from: ChartTime; readonly isRebased: boolean; readonly isPair?: boolean },
): readonly ChartLine[] {
  const points = isRebased
    ? rebasedPoints(bars, from)
    : bars.map((own) => pricePoints(own, beginningOf(from)));
  return names.map((name, at) => ({
    name,
    unit: units[at] ?? '',
    color: colors[at] ?? 1,
    isPair,
    bars: bars[at] ?? [],
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
