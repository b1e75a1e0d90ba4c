import { useMemo } from 'preact/hooks';

import type { ActionMark } from '../chart/drawing/actions.ts';
import { canDrawCandles } from '../chart/drawing/bars.ts';
import { linesOf, timesOf, type ChartContent } from '../chart/drawing/chart-content.ts';
import { chartStyle } from '../chart/drawing/chart-style.ts';
import { emptyDays } from '../chart/drawing/empty-days.ts';
import { overlaysOf } from '../chart/figures/overlays.ts';
import type { ChartSeries } from '../chart/series/use-chart-series.ts';
import type { Quote } from '../market/api/quote.ts';
import { formatAverages } from '../places/chart-choices.ts';
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
  { marks, quote }: { readonly marks: readonly ActionMark[]; readonly quote: Quote | undefined },
): ChartContent {
  const { ticker, compared, range, adjustment, isLog, currency, mode, averages } = place;
  const wanted = chartStyle.value;
  const isWeighted = isWeightedDay(place);
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
    const overlays = overlaysOf(lines[0], { averages, isWeighted, isRebased });
    const times = timesOf(lines);
    const view = [
      [ticker, compared, range, adjustment, isLog, currency, mode, averages, isWeighted],
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
      emptyDays: emptyDays(times, span),
      span,
      style,
      // The change of the quote is that of its price in its own currency.
      quote: isQuotient || isConverted ? undefined : quote,
      hasVolume,
      marks,
      from,
      isIntraday,
      isLog,
    };
  }, [
    ticker,
    compared.join(','),
    range,
    adjustment,
    isLog,
    currency,
    mode,
    formatAverages(averages),
    isWeighted,
    wanted,
    isQuotient,
    isConverted,
    names.join(' '),
    units.join(' '),
    bars,
    base,
    span?.first,
    span?.last,
    marks,
    quote,
  ]);
}
