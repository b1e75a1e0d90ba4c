import type { HistoryRow, IntradayRow, Quote } from '../../market/api/quote.ts';
import type { Series } from '../../market/api/series-rows.ts';
import { dayMinutes, minuteOf, timeOfDay } from '../../market/session-path.ts';
import { dailyBars, intradayBars, type Bar } from '../drawing/bars.ts';

/** The rows of one instrument, which its quotes continue: its closes, or its bars of minutes. */
export interface LiveSeries extends Series {
  /**
   * The closes as they were received. The closes of {@link Series} also have the session of the current quote. Bars of
   * minutes are the same in both.
   */
  readonly stored: readonly HistoryRow[];
  readonly bars: readonly Bar[];
  /** The series with a quote. It is the same object if the quote changes nothing. */
  readonly withQuote: (quote: Quote) => LiveSeries;
}

/** Daily closes. The quote of a later session is their last row. */
export function dailySeries(received: Series, quote?: Quote): LiveSeries {
  const { rows: stored, omittedDividends } = received;
  const rows = withSession(stored, quote);
  let bars: readonly Bar[] | undefined;
  const series: LiveSeries = {
    stored,
    rows,
    omittedDividends,
    get bars() {
      return (bars ??= dailyBars(rows));
    },
    withQuote: (next) =>
      withSession(stored, next) === stored ? series : dailySeries(received, next),
  };
  return series;
}

/**
 * Closes with the session in progress as their last row, formed by its quote. `/historicos` has a
 * session only after its end (contract 2.6.4). A session that it has is never replaced by a quote. The
 * closes are on the basis of the session of the quote (contract 4.2.6), so its prices need no
 * adjustment.
 */
export function withSession(
  rows: readonly HistoryRow[],
  quote: Quote | undefined,
): readonly HistoryRow[] {
  const stored = rows.at(-1)?.fecha;
  if (quote === undefined || (stored !== undefined && quote.fecha <= stored)) return rows;
  const { especie, fecha, ultimo, apertura, maximo, minimo, volumen } = quote;
  return [
    ...rows,
    {
      especie,
      fecha,
      ultimo,
      ...(apertura === undefined ? {} : { apertura }),
      ...(maximo === undefined ? {} : { maximo }),
      ...(minimo === undefined ? {} : { minimo }),
      volumen,
    },
  ];
}

/** How intraday bars are cut. */
interface Cut {
  /** The length of a bar. */
  readonly minutes: number;
  /** Maximum number of sessions. The earliest ones are left out. */
  readonly sessions: number;
}

/**
 * Intraday bars, in ascending order. The price of a quote extends the bar under way or begins the next
 * one. A board has quotes and no bars in its stream: the volumes of such bars are unknown until the
 * series is requested again.
 */
export function intradaySeries(rows: readonly IntradayRow[], cut: Cut): LiveSeries {
  const shown = lastSessions(rows, cut.sessions);
  const series: LiveSeries = {
    stored: shown,
    rows: shown,
    omittedDividends: [],
    bars: intradayBars(shown),
    withQuote: (quote) => {
      const next = withPrice(shown, quote, cut.minutes);
      return next === shown ? series : intradaySeries(next, cut);
    },
  };
  return series;
}

/** The rows of the last sessions that have any. */
export function lastSessions(rows: readonly IntradayRow[], count: number): readonly IntradayRow[] {
  const days = [...new Set(rows.map(({ fecha }) => fecha))];
  const first = days.at(-count) ?? days[0];
  return first === undefined ? [] : rows.slice(rows.findIndex(({ fecha }) => fecha === first));
}

/**
 * Rows with the price of a quote. Without rows there is no bar to continue: the instrument may have
 * none at all.
 */
function withPrice(
  rows: readonly IntradayRow[],
  { especie, fecha, hora, ultimo }: Quote,
  minutes: number,
): readonly IntradayRow[] {
  const last = rows.at(-1);
  if (last === undefined || hora === undefined || fecha < last.fecha) return rows;
  const start = Math.floor(minuteOf(hora) / minutes) * minutes;
  const ahead = fecha > last.fecha ? dayMinutes : minutesBetween(minuteOf(last.hora), start);
  if (ahead < 0) return rows;
  if (ahead > 0) {
    const prices = { apertura: ultimo, maximo: ultimo, minimo: ultimo, ultimo };
    return [...rows, { especie, fecha, hora: `${timeOfDay(start)}:00`, ...prices, volumen: null }];
  }
  if (last.ultimo === ultimo) return rows;
  const maximo = Math.max(last.maximo, ultimo);
  const minimo = Math.min(last.minimo, ultimo);
  return [...rows.slice(0, -1), { ...last, maximo, minimo, ultimo }];
}

/**
 * From a time of a session to another one, in minutes. A session may pass midnight, so a time is later
 * if it is within the twelve hours after the other.
 */
function minutesBetween(from: number, to: number): number {
  const ahead = (to - from + dayMinutes) % dayMinutes;
  return ahead > dayMinutes / 2 ? ahead - dayMinutes : ahead;
}
