import { useMemo } from 'preact/hooks';

import type { HistoryRow, Quote } from '../../market/api/quote.ts';
import { today } from '../../market/health-watch.ts';
import { instruments } from '../../market/instruments.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { dailyBars, intradayBars, type ChartTime } from '../drawing/bars.ts';
import type { Span } from '../drawing/empty-days.ts';
import { commonStart, type LineSource } from '../drawing/chart-content.ts';
import { dollarOf } from '../figures/conversion.ts';
import { isIntradayRange, rangeSpan, rangeStart } from './range.ts';
import type { TableRow } from '../figures/exported-rows.ts';
import { shownLines, type ShownLines } from '../figures/shown-lines.ts';
import { useHistories } from './use-series.ts';
import { useLiveBars } from './use-live-bars.ts';

/** The instruments of a chart, then the dollar of its currency: all whose prices it needs. */
export function followedTickers(place: InstrumentPlace): readonly string[] {
  const dollar = servedDollar(place);
  const tickers = [place.ticker, ...place.compared];
  return dollar === undefined || tickers.includes(dollar) ? tickers : [...tickers, dollar];
}

/** The dollar of the currency of a chart. Undefined if none is needed, or if the service has not got it. */
export function servedDollar({ currency }: Pick<InstrumentPlace, 'currency'>): string | undefined {
  const dollar = dollarOf(currency);
  return dollar !== undefined && instruments.value.has(dollar) ? dollar : undefined;
}

/**
 * The lines of a chart: of the instrument, then of those that are compared with it; or, as quotients, of the
 * instrument with each of them.
 */
export interface ChartSeries extends Omit<ShownLines<HistoryRow>, 'lines'> {
  /** The lines with all their bars. */
  readonly lines: readonly LineSource[];
  /** The rows of the range, of all lines, as they can be exported. */
  readonly rows: readonly TableRow[];
  /** The closes of the range with the session in progress, of each line. Empty if the bars are intraday. */
  readonly closes: readonly (readonly HistoryRow[])[];
  /** The first time of the values: of the range or, in a comparison, of the day that all of them have. */
  readonly from: ChartTime;
  /** The days of the range. Undefined for intraday bars and for whole series. */
  readonly span: Span | undefined;
  readonly isIntraday: boolean;
  readonly omittedDividends: readonly string[];
  readonly isLoading: boolean;
  readonly message: string | undefined;
}

/** The daily or intraday series of a place. The quotes are those of {@link followedTickers}. */
export function useChartSeries(
  place: InstrumentPlace,
  quotes: readonly (Quote | undefined)[],
): ChartSeries {
  const { range } = place;
  const tickers = [place.ticker, ...place.compared];
  const followed = followedTickers(place);
  const dollar = servedDollar(place);
  const isIntraday = isIntradayRange(range);
  const histories = useHistories(isIntraday ? [] : followed, place.adjustment, quotes);
  const live = useLiveBars({ tickers, dollar }, isIntraday ? range : undefined);
  const { stored, current } = histories;
  const infos = instruments.value;
  const options = { place, infos };
  const view = [infos, tickers.join(','), place.currency, place.mode];
  const daily = useMemo(() => {
    const dollarAt = dollar === undefined ? -1 : followed.indexOf(dollar);
    const shownOf = (all: readonly (readonly HistoryRow[])[]) =>
      shownLines(all, { ...options, barsOf: dailyBars, dollars: all[dollarAt] ?? [] });
    return { shown: shownOf(current), stored: shownOf(stored) };
  }, [...view, ...stored, ...current]);
  const intraday = useMemo(
    () => shownLines(live.series, { ...options, barsOf: intradayBars, dollars: live.dollars }),
    [...view, live.series, live.dollars],
  );
  // Without the currencies of the instruments, it is not known which prices are in pesos.
  const isUnknown = place.currency !== 'original' && infos.size === 0;
  if (isIntraday) {
    const rows = intraday.lines.flatMap((line) => line.rows);
    const none = { closes: [], from: 0, span: undefined, omittedDividends: [] };
    const { isLoading, message } = live;
    return {
      ...intraday,
      ...none,
      rows,
      isIntraday,
      isLoading: isLoading || isUnknown,
      message,
    };
  }
  const { shown } = daily;
  const { omittedDividends, isLoading, message } = histories;
  const start = rangeStart(today.value, range);
  // Instruments are compared from the first day that all of them have, in the table as in the chart.
  const isCompared = shown.lines.length > 1 && !shown.isQuotient;
  const from = isCompared
    ? commonStart(
        shown.lines.map(({ bars }) => bars),
        start,
      )
    : start;
  const inRange = ({ fecha }: { readonly fecha: string }) => fecha >= from;
  return {
    ...shown,
    rows: daily.stored.lines.flatMap((line) => line.rows.filter(inRange)),
    closes: shown.lines.map((line) => line.closes.filter(inRange)),
    missing: shown.missing.map(({ ticker, days }) => ({
      ticker,
      days: days.filter((day) => day >= start),
    })),
    from,
    span: rangeSpan(today.value, range),
    isIntraday,
    omittedDividends,
    isLoading: isLoading || isUnknown,
    message,
  };
}
