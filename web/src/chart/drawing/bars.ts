import type { HistoryRow, IntradayRow, Quote } from '../../market/api/quote.ts';

/**
 * The position of a bar on the time axis: a day, `YYYY-MM-DD`, or the start of an intraday bar. The
 * latter is in seconds, and is the Buenos Aires time read as UTC, because the axis shows UTC.
 */
export type ChartTime = string | number;

/** One bar of a chart: a session, or some minutes of one. */
export interface Bar {
  readonly time: ChartTime;
  /** The date of the session. */
  readonly day: string;
  readonly close: number;
  /** Present if open, high and low are all known. */
  readonly range?: { readonly open: number; readonly high: number; readonly low: number };
  readonly volume: number | null;
}

/** The bars of daily closes. */
export function dailyBars(rows: readonly HistoryRow[]): readonly Bar[] {
  return rows.map(({ fecha, ultimo, apertura, maximo, minimo, volumen }) => ({
    time: fecha,
    day: fecha,
    close: ultimo,
    ...(apertura === undefined || maximo === undefined || minimo === undefined
      ? {}
      : { range: { open: apertura, high: maximo, low: minimo } }),
    volume: volumen,
  }));
}

const daySeconds = 86_400;

/**
 * Intraday bars. `fecha` is the session, and `hora` is Buenos Aires time. If a session continues
 * after midnight in Buenos Aires, its later bars are a day later, so times always increase.
 */
export function intradayBars(rows: readonly IntradayRow[]): readonly Bar[] {
  let latest = Number.NEGATIVE_INFINITY;
  return rows.map(({ fecha, hora, apertura, maximo, minimo, ultimo, volumen }) => {
    let time = Date.parse(`${fecha}T${hora}Z`) / 1000;
    while (time <= latest) time += daySeconds;
    latest = time;
    return {
      time,
      day: fecha,
      close: ultimo,
      range: { open: apertura, high: maximo, low: minimo },
      volume: volumen,
    };
  });
}

/** The time of day of an intraday bar, as `hora` of the contract: `11:05:00`. */
export function formatTimeOfBar(time: number): string {
  return new Date(time * 1000).toISOString().slice(11, 19);
}

/**
 * The change of a bar from the last close of an earlier day. Null for the first day. The bar of the
 * session of the quote has the change of the quote, which is on one basis also if its bars are not
 * adjusted (contract 2.1.4).
 */
export function changeOf(
  bar: Bar,
  { bars, quote }: { readonly bars: readonly Bar[]; readonly quote: Quote | undefined },
): number | null {
  const isLast = bar === bars.at(-1);
  if (isLast && quote?.fecha === bar.day && quote.variacion !== null) return quote.variacion;
  const before = bars.findLast(({ day }) => day < bar.day);
  return before === undefined ? null : bar.close - before.close;
}

/** How the prices of an instrument are drawn. */
export type ChartStyle = 'candles' | 'line';

/**
 * Whether to draw candles. They need the range of at least half of the visible bars. The closes of the
 * others are connected by a line.
 */
export function canDrawCandles(bars: readonly Bar[], from: ChartTime): boolean {
  const visible = bars.filter(({ time }) => time >= from);
  const ranged = visible.filter(({ range }) => range !== undefined);
  return ranged.length > 0 && ranged.length * 2 >= visible.length;
}
