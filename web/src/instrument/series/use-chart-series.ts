import { useMemo } from 'preact/hooks';

import type { HistoryRow } from '../../market/api/quote.ts';
import { intradayCodes } from '../../places/route.ts';
import type { IntradayCode, RangeCode } from '../../places/route.ts';
import { dailyBars, intradayBars } from '../chart/bars.ts';
import type { Bar, ChartTime } from '../chart/bars.ts';
import { commonStart } from '../chart/rebase.ts';
import type { TableRow } from './download.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { rangeStart } from './range.ts';
import { useHistories } from './use-histories.ts';
import { useLiveBars } from './use-live-bars.ts';

/** The series of a chart: of the instrument, then of those that are compared with it. */
export interface ChartSeries {
  /** The rows of the range, of each instrument. */
  readonly rows: readonly (readonly TableRow[])[];
  /** The rows of the range, if they are daily closes. */
  readonly closes: readonly (readonly HistoryRow[])[];
  /** All bars, of each instrument. */
  readonly bars: readonly (readonly Bar[])[];
  /** The first time of the range. */
  readonly from: ChartTime;
  readonly isIntraday: boolean;
  readonly omittedDividends: readonly string[];
  readonly isLoading: boolean;
  readonly message: string | undefined;
}

/** The daily or intraday series of a place. */
export function useChartSeries(place: InstrumentPlace, key: string): ChartSeries {
  const { range } = place;
  const tickers = [place.ticker, ...place.compared];
  const isIntraday = isIntradayRange(range);
  const histories = useHistories(isIntraday ? [] : tickers, place.adjustment, key);
  const live = useLiveBars(tickers, isIntraday ? range : undefined, key);
  const { series } = histories;
  const daily = useMemo(() => series.map(dailyBars), [...series]);
  const intraday = useMemo(() => live.series.map(intradayBars), [live.series]);
  if (isIntraday) {
    const { isLoading, message } = live;
    const own = { rows: live.series, closes: [], bars: intraday, from: 0, omittedDividends: [] };
    return { ...own, isIntraday, isLoading, message };
  }
  const { omittedDividends, isLoading, message } = histories;
  const lastDay = series[0]?.at(-1)?.fecha;
  const start = lastDay === undefined ? '' : rangeStart(lastDay, range);
  // Instruments are compared from the first day that all of them have, in the table as in the chart.
  const from = tickers.length > 1 ? commonStart(daily, start) : start;
  const closes = series.map((all) => all.filter(({ fecha }) => fecha >= from));
  const own = { rows: closes, closes, bars: daily, from, omittedDividends };
  return { ...own, isIntraday, isLoading, message };
}

function isIntradayRange(range: RangeCode): range is IntradayCode {
  return intradayCodes.some((code) => code === range);
}
