import { useMemo } from 'preact/hooks';

import type { HistoryRow, IntradayRow, Quote } from '../../market/api/quote.ts';
import { today } from '../../market/health-watch.ts';
import { instruments } from '../../market/instruments.ts';
import {
  intradayCodes,
  type InstrumentPlace,
  type IntradayCode,
  type RangeCode,
} from '../../places/route.ts';
import { dailyBars, intradayBars, type Bar, type ChartTime } from '../drawing/bars.ts';
import type { Span } from '../drawing/empty-days.ts';
import { commonStart } from '../drawing/rebase.ts';
import { barsInDollars, closesInDollars } from '../figures/conversion.ts';
import { followedTickers, servedDollar } from '../figures/followed-tickers.ts';
import { rangeStart } from './range.ts';
import type { TableRow } from '../figures/exported-rows.ts';
import { withSession } from './session-row.ts';
import { shownLines, type MissingDollars, type ShownLines } from '../figures/shown-lines.ts';
import { useHistories } from './use-histories.ts';
import { useLiveBars } from './use-live-bars.ts';

/**
 * The lines of a chart: of the instrument, then of those that are compared with it; or, as quotients and
 * differences, of the instrument with each of them.
 */
export interface ChartSeries extends Pick<
  ShownLines<HistoryRow>,
  'names' | 'units' | 'colors' | 'refusals' | 'isQuotient' | 'isConverted'
> {
  /** The rows of the range, of each line, as they can be exported. */
  readonly rows: readonly (readonly TableRow[])[];
  /** The closes of the range with the session in progress. Empty if the bars are intraday. */
  readonly closes: readonly (readonly HistoryRow[])[];
  /** All bars, of each line. */
  readonly bars: readonly (readonly Bar[])[];
  /** The first time of the values: of the range or, in a comparison, of the day that all of them have. */
  readonly from: ChartTime;
  /** The days of the range. Undefined for intraday bars and for whole series. */
  readonly span: Span | undefined;
  readonly isIntraday: boolean;
  /** Rows of the range that are left out, because the price of the dollar is not known. */
  readonly missing: readonly MissingDollars[];
  readonly omittedDividends: readonly string[];
  readonly isLoading: boolean;
  readonly message: string | undefined;
}

/** The daily or intraday series of a place. The quotes are those of {@link followedTickers}. */
export function useChartSeries(
  place: InstrumentPlace,
  key: string,
  quotes: readonly (Quote | undefined)[],
): ChartSeries {
  const { range } = place;
  const tickers = [place.ticker, ...place.compared];
  const followed = followedTickers(place);
  const dollar = servedDollar(place);
  const isIntraday = isIntradayRange(range);
  const histories = useHistories(isIntraday ? [] : followed, place.adjustment, { key, quotes });
  const live = useLiveBars({ tickers, dollar }, isIntraday ? range : undefined, key);
  const { stored, sessions } = histories;
  const infos = instruments.value;
  const options = { place, infos };
  const view = [infos, tickers.join(','), place.currency, place.mode];
  const daily = useMemo(() => {
    const current = stored.map((rows, at) => withSession(rows, sessions[at]));
    const dollarAt = dollar === undefined ? -1 : followed.indexOf(dollar);
    const linesFrom = (all: readonly (readonly HistoryRow[])[]) =>
      shownLines(all.slice(0, tickers.length), {
        ...options,
        barsOf: dailyBars,
        convert: (rows) => closesInDollars(rows, all[dollarAt] ?? []),
      });
    return { lines: linesFrom(current), stored: linesFrom(stored) };
  }, [...view, ...stored, ...sessions]);
  const intraday = useMemo(
    () =>
      shownLines<IntradayRow>(live.series, {
        ...options,
        barsOf: intradayBars,
        convert: (rows) => barsInDollars(rows, live.dollars),
      }),
    [...view, live.series, live.dollars],
  );
  // Without the currencies of the instruments, it is not known which prices are in pesos.
  const isUnknown = place.currency !== 'original' && infos.size === 0;
  if (isIntraday) {
    const { isLoading, message } = live;
    const own = { ...intraday, closes: [], from: 0, span: undefined, omittedDividends: [] };
    return { ...own, isIntraday, isLoading: isLoading || isUnknown, message };
  }
  const { lines } = daily;
  const { omittedDividends, isLoading, message } = histories;
  const start = rangeStart(today.value, range);
  const span = range === 'max' ? undefined : { first: start, last: today.value };
  // Instruments are compared from the first day that all of them have, in the table as in the chart.
  const from = lines.bars.length > 1 && !lines.isQuotient ? commonStart(lines.bars, start) : start;
  const inRange = <Row extends { readonly fecha: string }>(all: readonly (readonly Row[])[]) =>
    all.map((rows) => rows.filter(({ fecha }) => fecha >= from));
  return {
    ...lines,
    rows: inRange(daily.stored.rows),
    closes: inRange(lines.closes),
    missing: lines.missing.map((one) => ({
      ...one,
      days: one.days.filter((day) => day >= start),
    })),
    from,
    span,
    isIntraday,
    omittedDividends,
    isLoading: isLoading || isUnknown,
    message,
  };
}

function isIntradayRange(range: RangeCode): range is IntradayCode {
  return intradayCodes.some((code) => code === range);
}
