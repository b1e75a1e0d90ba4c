import { useMemo } from 'preact/hooks';

import type { ActionMark } from '../chart/drawing/actions.ts';
import { canDrawCandles } from '../chart/drawing/bars.ts';
import { linesOf, timesOf, type ChartContent, type Level } from '../chart/drawing/chart-content.ts';
import { chartStyle } from '../chart/drawing/chart-style.ts';
import { emptyTimesOf } from '../chart/drawing/empty-days.ts';
import { overlaysOf } from '../chart/figures/overlays.ts';
import type { ChartSeries } from '../chart/series/use-chart-series.ts';
import type { Quote } from '../market/api/quote.ts';
import { sessionEnd } from '../market/paths/whole-session.ts';
import type { InstrumentPlace } from '../places/route.ts';
import { isWeightedDay } from '../chart/figures/weighted-day.ts';

/**
 * The content of the chart. It is the same object until it changes, because drawing is expensive.
 */
export function useChartContent(
  place: InstrumentPlace,
  {
    names,
    units,
    colors,
    bars,
    from: base,
    span,
    isIntraday,
    isQuotient,
    isConverted,
  }: ChartSeries,
  {
    marks,
    levels,
    quote,
  }: {
    readonly marks: readonly ActionMark[];
    readonly levels: readonly Level[];
    readonly quote: Quote | undefined;
  },
): ChartContent {
  // The convention of its figures does not change the chart of a bond.
  const { convention: _, ...drawn } = place;
  const id = JSON.stringify(drawn);
  const { ticker, range, isLog, averages, indicators } = place;
  const wanted = chartStyle.value;
  const isWeighted = isWeightedDay(place);
  const end = sessionEnd(ticker, bars[0]?.at(-1)?.day);
  return useMemo(() => {
    const [own = []] = bars;
    const from = span?.first ?? base;
    const isRebased = names.length > 1 && !isQuotient;
    const style = wanted === 'candles' && canDrawCandles(own, from) ? 'candles' : 'line';
    const hasVolume = own.some(({ volume }) => volume !== null && volume > 0);
    const lines = linesOf(
      { names, units, colors, bars },
      { from: base, isRebased, isPair: isQuotient },
    );
    const overlays = overlaysOf(lines[0], { averages, indicators, isWeighted, isRebased });
    const times = timesOf(lines);
    const view = [
      drawn,
      [style, marks.length, hasVolume, names, units],
      bars.map(({ length }) => length > 0),
    ];
    return {
      view: JSON.stringify(view),
      lines,
      isRebased,
      isConverted,
      overlays,
      times,
      emptyTimes: emptyTimesOf(times, { span, range, end }),
      span,
      style,
      // The change of the quote is that of its price in its own currency.
      quote: isQuotient || isConverted ? undefined : quote,
      hasVolume,
      marks,
      levels,
      from,
      isIntraday,
      isLog,
    };
  }, [
    id,
    wanted,
    isQuotient,
    isConverted,
    names.join(' '),
    units.join(' '),
    bars,
    base,
    span?.first,
    span?.last,
    end,
    marks,
    levels,
    quote,
  ]);
}
