import { firstEpochDay, toEpochDay, type EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { AdjustedSeries } from '../../../domain/history/adjust-series.ts';
import { followedByRow, rowsInRange, type BarSeries } from '../../../domain/history/daily-close.ts';
import { byPeriod, periodOf, type Period } from '../../../domain/history/periods.ts';
import { rulesOf, type Instrument } from '../../../domain/instruments/instrument.ts';
import { barIntervals, type BarInterval } from '../../../domain/quotes/bar-interval.ts';
import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { Quote } from '../../../domain/quotes/quote.ts';
import { formatExactNumber } from '../../../lib/numbers/exact-number.ts';
import { volumeDecimals } from '../../rows/bar.ts';
import { formatNumber, formatValue, shownValue } from '../../../wire/texts/number.ts';
import { operation } from '../../operation.ts';
import type { Part } from '../../part.ts';
import { choice, integer, required } from '../../parts.ts';
import { clause, second, symbol } from './parts.ts';

export const secondsPerDay = 86_400;
const secondsPerMinute = 60;

/** The length of a bar: a day, a week, a month, or minutes within a session. */
export type ChartInterval = Period | BarInterval;

const intervals: Readonly<Record<string, ChartInterval>> = {
  ...Object.fromEntries(barIntervals.map((minutes) => [String(minutes), minutes])),
  D: 'day',
  '1D': 'day',
  W: 'week',
  '1W': 'week',
  M: 'month',
  '1M': 'month',
};

/** Which bars a request is about. */
export interface ChartRange {
  /** In seconds since 1970; `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** The number of bars before `to`, whatever `from`. */
  readonly countback: number | undefined;
}

const countback = integer('countback', { min: 1, max: 20_000 }, { es: 'Cantidad de barras.' });
const from = second('from', {
  es: 'Primer instante, en segundos desde 1970. Con `countback` no tiene efecto, y se puede omitir.',
});
const to = second('to', {
  es: 'Instante anterior al cual empiezan las barras, en segundos desde 1970.',
});

/** With `countback` the start has no effect, so it need not be sent. */
const range: Part<ChartRange> = {
  inputs: { ...from.inputs, ...to.inputs, ...countback.inputs },
  parse: (values, scope) => {
    const count = countback.parse(values, scope);
    if (!count.ok) return count;
    const end = to.parse(values, scope);
    if (!end.ok) return end;
    const isOpen = count.value !== undefined && (values['from'] ?? []).length === 0;
    const start = from.parse(isOpen ? { from: ['0'] } : values, scope);
    if (!start.ok) return start;
    return { ok: true, value: { from: start.value, to: end.value, countback: count.value } };
  },
};

/** The bars of an instrument (contract 4.15.7). */
export const history = operation({
  path: '/udf/history',
  clause,
  params: {
    symbol,
    interval: required(
      'resolution',
      choice('resolution', intervals, {
        schema: { type: 'string', enum: Object.keys(intervals) },
        es: 'Intervalo: minutos, un día, una semana o un mes.',
      }),
    ),
    range,
  },
  /**
   * Bars start at whole days, or at whole minutes. So the instants of a day or of a minute request the same bars, and a
   * chart whose `to` moves with the clock gets the same answer.
   */
  check: (query) => {
    const { from: since, to: until, countback: count } = query.range;
    const step = typeof query.interval === 'number' ? secondsPerMinute : secondsPerDay;
    const rounded = {
      from: count === undefined ? roundUp(since, step) : 0,
      to: roundUp(until, step),
      countback: count,
    };
    return { ok: true, value: { ...query, range: rounded } };
  },
});

/** The next multiple of a step. It is not -0. */
function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step + 0;
}

/** Bars of a chart, ascending. */
export interface ChartBars {
  readonly length: number;
  /** The start of a bar, in seconds since 1970. */
  start(at: number): number;
  cells(at: number): ChartCells;
}

/** The members of a response besides `s`, in their order. */
const members = ['t', 'o', 'h', 'l', 'c', 'v'] as const;

/** One bar: the text of each member, without nulls. */
interface ChartCells extends Readonly<Record<(typeof members)[number], string>> {
  /** Whether the open, the high or the low is known. If not, they are texts of the close. */
  readonly hasRange: boolean;
}

/** Closes of days, weeks or months. A bar starts at 00:00 UTC of the date of its first session. */
export function barsOfCloses(
  instrument: Instrument,
  series: AdjustedSeries<BarSeries>,
  period: Period,
): ChartBars {
  const periods = byPeriod(series, period, (price) => shownValue(price, instrument));
  const { firstDays: days, opens, highs, lows, closes, volumes, adjustedRows } = periods;
  const start = (row: number): number => (days[row] ?? 0) * secondsPerDay;
  const format = usual(instrument);
  return {
    length: days.length,
    start,
    cells: (row) =>
      // An adjusted value is rounded already, and may have more decimals than its instrument.
      cells(start(row), row < adjustedRows ? formatExactNumber : format, {
        open: known(opens?.[row]),
        high: known(highs?.[row]),
        low: known(lows?.[row]),
        close: closes[row] ?? Number.NaN,
        volume: formatExactNumber(known(volumes[row]) ?? 0),
      }),
  };
}

/**
 * The bars of closes, with the session of a quote if it is later than the last of them. The bar that contains the session
 * changes with each quote, so the rows before it are not copied.
 */
export function barsWithSession(
  instrument: Instrument,
  series: AdjustedSeries<BarSeries>,
  { period, quote }: { readonly period: Period; readonly quote: Quote | undefined },
): ChartBars {
  if (quote === undefined) return barsOfCloses(instrument, series, period);
  const day = toEpochDay(quote.sessionDate);
  if (day <= (series.days.at(-1) ?? -Infinity)) return barsOfCloses(instrument, series, period);
  const { last: close, open, high, low, volume } = quote;
  const session = {
    day,
    close,
    volume,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
  };
  const isEarlier = (one: number): boolean => periodOf[period](one) !== periodOf[period](day);
  const last = (series.days.findLast(isEarlier) ?? firstEpochDay) as EpochDay;
  const { rows: earlier } = rowsInRange(series, { from: firstEpochDay, to: last });
  const { rows } = rowsInRange(series, { from: (last + 1) as EpochDay, to: day });
  const adjustedRows = Math.max(0, series.adjustedRows - earlier.days.length);
  const underWay = followedByRow({ ...rows, adjustedRows }, session);
  return followedBy(
    barsOfCloses(instrument, earlier, period),
    barsOfCloses(instrument, underWay, period),
  );
}

/** Bars within sessions. */
export function barsWithin(instrument: Instrument, bars: readonly Bar[]): ChartBars {
  const start = (at: number): number => barAt(at).minute * secondsPerMinute;
  const format = usual(instrument);
  const barAt = (at: number): Bar => {
    const bar = bars[at];
    if (bar === undefined) throw new RangeError(`there is no bar ${at}`);
    return bar;
  };
  return {
    length: bars.length,
    start,
    cells: (at) => {
      const { open, high, low, last: close, volume } = barAt(at);
      const text = formatNumber(volume ?? 0, volumeDecimals);
      return cells(start(at), format, { open, high, low, close, volume: text });
    },
  };
}

/** Bars, and then later ones. */
export function followedBy(earlier: ChartBars, later: ChartBars): ChartBars {
  const { length } = earlier;
  return {
    length: length + later.length,
    start: (at) => (at < length ? earlier.start(at) : later.start(at - length)),
    cells: (at) => (at < length ? earlier.cells(at) : later.cells(at - length)),
  };
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

/** Bars from an index to before another. */
interface BarRange {
  readonly first: number;
  readonly end: number;
}

/** The adapter needs the last bar and the one before it. */
const barsMin = 2;

/**
 * The bars that a query requests: of those before `to`, the last `countback`, or those since `from`, and the
 * last two where fewer are since `from`.
 */
export function requestedBars(bars: ChartBars, query: ChartRange): BarRange {
  const end = barsBefore(bars, query.to);
  const start =
    query.countback === undefined
      ? Math.min(barsBefore(bars, query.from), end - barsMin)
      : end - query.countback;
  return { first: Math.max(start, 0), end };
}

/** The number of bars that start before a second. */
function barsBefore(bars: ChartBars, time: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bars.start(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The body. One without bars has no `nextTime` (contract 4.15.7). */
export function barsJson(
  instrument: Instrument,
  bars: ChartBars,
  { first, end }: BarRange,
): string {
  if (first === end) return '{"s":"no_data"}';
  const all = Array.from({ length: end - first }, (_, at) => bars.cells(first + at));
  const { hasVolume } = rulesOf(instrument);
  const hasRange = all.some((bar) => bar.hasRange);
  const shown = members.filter((member) =>
    member === 'v' ? hasVolume : hasRange || member === 't' || member === 'c',
  );
  const columns = shown.map((member) => `"${member}":[${all.map((bar) => bar[member]).join(',')}]`);
  return `{"s":"ok",${columns.join(',')}}`;
}
