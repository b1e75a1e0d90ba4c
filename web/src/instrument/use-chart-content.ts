import { useMemo } from 'preact/hooks';

import type { ActionMark } from '../chart/drawing/actions.ts';
import { chartContent, type ChartContent, type Level } from '../chart/drawing/chart-content.ts';
import { chartStyle } from '../chart/drawing/chart-frame.tsx';
import { overlaysOf } from '../chart/figures/overlays.ts';
import { isWeightedDay } from '../chart/figures/weighted-price.ts';
import type { ChartSeries } from '../chart/series/use-chart-series.ts';
import type { Quote } from '../market/api/quote.ts';
import { sessionEnd } from '../market/session-path.ts';
import type { InstrumentPlace } from '../places/route.ts';

/**
 * The content of the chart. It is the same object until it changes, because drawing is expensive.
 */
export function useChartContent(
  place: InstrumentPlace,
  { lines: sources, from: base, span, isQuotient, isConverted }: ChartSeries,
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
  const wanted = chartStyle.value;
  const end = sessionEnd(place.ticker, sources[0]?.bars.at(-1)?.day);
  return useMemo(() => {
    const { range, isLog, averages, indicators } = place;
    const content = chartContent({
      sources,
      base,
      range,
      span,
      end,
      wanted,
      marks,
      levels,
      isLog,
      isConverted,
      isRebased: sources.length > 1 && !isQuotient,
      isPair: isQuotient,
      // The change of the quote is that of its price in its own currency.
      quote: isQuotient || isConverted ? undefined : quote,
      choices: [drawn],
    });
    const { lines, isRebased } = content;
    const isWeighted = isWeightedDay(place);
    return {
      ...content,
      overlays: overlaysOf(lines[0], { averages, indicators, isWeighted, isRebased }),
    };
  }, [id, wanted, sources, base, span?.first, span?.last, end, marks, levels, quote]);
}
