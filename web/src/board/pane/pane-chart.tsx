import { useEffect, useMemo, useState } from 'preact/hooks';

import { chartContent } from '../../chart/drawing/chart-content.ts';
import { ChartFrame, chartStyle } from '../../chart/drawing/chart-frame.tsx';
import { shownUnit } from '../../chart/figures/conversion.ts';
import { missingTexts } from '../../chart/drawing/empty-days.ts';
import { isIntradayRange, rangeSpan } from '../../chart/series/range.ts';
import { useSeriesStore } from '../../chart/series/use-series.ts';
import type { Quote } from '../../market/api/quote.ts';
import { today } from '../../market/health-watch.ts';
import { instruments } from '../../market/instruments.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { sessionEnd } from '../../market/paths/whole-session.ts';
import type { RangeCode } from '../../places/route.ts';
import { useShownSeries } from '../dollars/use-shown-series.ts';
import { currency } from '../state/board-state.ts';

/** Time on one instrument after which its series is requested, in milliseconds. */
const settleMs = 150;

/**
 * The chart of the instrument beside the table. One that was seen lately is drawn at once; another one
 * is requested when the visitor stays on it.
 */
export function PaneChart({
  ticker,
  range,
  live,
  quote,
}: {
  readonly ticker: string;
  readonly range: RangeCode;
  readonly live: LiveQuotes;
  readonly quote: Quote | undefined;
}) {
  const store = useSeriesStore();
  const isWanted = useSettled(ticker, settleMs) === ticker;
  const known = useShownSeries(store, { ticker, range, live, isWanted });
  const bars = known.bars ?? none;
  const wanted = chartStyle.value;
  const unit = shownUnit(instruments.value.get(ticker), currency.value);
  const span = rangeSpan(today.value, range);
  const end = sessionEnd(ticker, quote?.fecha);
  const content = useMemo(() => {
    const sources = [{ name: ticker, unit, color: 1, bars }];
    return chartContent({ sources, range, quote, span, end, wanted });
  }, [ticker, unit, range, bars, quote, span?.first, span?.last, end, wanted]);
  const text = bars.length > 0 ? known.message : emptyText(known, range);
  return (
    <div class="pane-chart">
      {text !== undefined && (
        <p
          class={bars.length > 0 ? 'notice notice-bad' : 'pane-empty'}
          role={known.message === undefined ? undefined : 'status'}
        >
          {text}
        </p>
      )}
      {/* It stays while another series is loaded, because a new chart takes several frames. */}
      <ChartFrame content={content} />
      {missingTexts(content.lines, span).map((missing) => (
        <p key={missing} class="hint">
          {missing}
        </p>
      ))}
    </div>
  );
}

const none = [] as const;

function emptyText({ bars, message }: ReturnType<typeof useShownSeries>, range: RangeCode): string {
  if (message !== undefined) return message;
  if (bars === undefined) return 'Cargando la serie…';
  return isIntradayRange(range)
    ? 'No hay precios intradiarios de esta especie.'
    : 'No hay precios de cierre de esta especie en este rango.';
}

/** A value once it has not changed for a time, in milliseconds. The first value is settled. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
