import { useMemo } from 'preact/hooks';

import type { HistoryRow, Quote } from '../../market/api/quote.ts';
import { today } from '../../market/health-watch.ts';
import { intradayCodes } from '../../places/route.ts';
import type { IntradayCode, RangeCode } from '../../places/route.ts';
import { dailyBars, intradayBars } from '../drawing/bars.ts';
import type { Bar, ChartTime } from '../drawing/bars.ts';
import type { Span } from '../drawing/empty-days.ts';
import { commonStart } from '../drawing/rebase.ts';
import type { TableRow } from './series-table.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { rangeStart } from './range.ts';
import { withSession } from './session-row.ts';
import { useHistories } from './use-histories.ts';
import { useLiveBars } from './use-live-bars.ts';

/** The series of a chart: of the instrument, then of those that are compared with it. */
export interface ChartSeries {
  /** The rows of the range, of each instrument, as the service has stored them. */
  readonly rows: readonly (readonly TableRow[])[];
  /** The closes of the range with the session in progress. Empty if the bars are intraday. */
  readonly closes: readonly (readonly HistoryRow[])[];
  /** All bars, of each instrument. */
  readonly bars: readonly (readonly Bar[])[];
  /** The first time of the values: of the range or, in a comparison, of the day that all of them have. */
  readonly from: ChartTime;
  /** The days of the range. Undefined for intraday bars and for whole series. */
  readonly span: Span | undefined;
  readonly isIntraday: boolean;
  readonly omittedDividends: readonly string[];
  readonly isLoading: boolean;
  readonly message: string | undefined;
}

/** The daily or intraday series of a place. */
export function useChartSeries(
  place: InstrumentPlace,
  key: string,
  quotes: readonly (Quote | undefined)[],
): ChartSeries {
  const { range } = place;
  const tickers = [place.ticker, ...place.compared];
  const isIntraday = isIntradayRange(range);
  const histories = useHistories(isIntraday ? [] : tickers, place.adjustment, { key, quotes });
  const live = useLiveBars(tickers, isIntraday ? range : undefined, key);
  const { stored, sessions } = histories;
  const series = useMemo(
    () => stored.map((rows, at) => withSession(rows, sessions[at])),
    [...stored, ...sessions],
  );
  const daily = useMemo(() => series.map(dailyBars), [series]);
  const intraday = useMemo(() => live.series.map(intradayBars), [live.series]);
  if (isIntraday) {
    const { isLoading, message } = live;
    const own = { rows: live.series, closes: [], bars: intraday, from: 0, omittedDividends: [] };
    return { ...own, span: undefined, isIntraday, isLoading, message };
  }
  const { omittedDividends, isLoading, message } = histories;
  const start = rangeStart(today.value, range);
  const span = range === 'max' ? undefined : { first: start, last: today.value };
  // Instruments are compared from the first day that all of them have, in the table as in the chart.
  const from = tickers.length > 1 ? commonStart(daily, start) : start;
  const inRange = (all: readonly HistoryRow[]) => all.filter(({ fecha }) => fecha >= from);
  const [rows, closes] = [stored.map(inRange), series.map(inRange)];
  const own = { rows, closes, bars: daily, from, omittedDividends };
  return { ...own, span, isIntraday, isLoading, message };
}

function isIntradayRange(range: RangeCode): range is IntradayCode {
  return intradayCodes.some((code) => code === range);
}
