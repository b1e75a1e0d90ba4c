import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { shownUnit } from '../../chart/figures/conversion.ts';
import { isIntradayRange, rangeChoices, rangeSpan } from '../../chart/series/range.ts';
import {
  InstrumentLine,
  LastPrice,
  bookFigures,
  Figures,
  QuoteFigures,
} from '../../market/figures/quote-figures.tsx';
import { freshnessOf } from '../../market/freshness.ts';
import { instruments } from '../../market/instruments.ts';
import { ListMenu } from '../../market/lists/list-menu.tsx';
import { useBoard, type ViewProps } from '../state/board-context.ts';
import { formatRoute, type RangeCode } from '../../places/route.ts';
import { currency, instrumentPage } from '../state/board-state.ts';
import { Button } from '../../ui/button.tsx';
import { BellIcon, CloseIcon } from '../../ui/icons.tsx';
import { Segments } from '../../ui/segments.tsx';
import { changeLook, rangeOf } from '../state/board-look.ts';
import { setPane } from './pane-layout.ts';
import type { Quote } from '../../market/api/quote.ts';
import { decimalsOf } from '../../market/columns.ts';
import { formatPercent, formatPrice } from '../../market/format/numbers.ts';
import { spreadOf } from '../../market/format/spread.ts';
import { chartContent } from '../../chart/drawing/chart-content.ts';
import { ChartFrame, chartStyle } from '../../chart/drawing/chart-frame.tsx';
import { missingTexts } from '../../chart/drawing/empty-days.ts';
import { useSeriesStore } from '../../chart/series/use-series.ts';
import { today } from '../../market/health-watch.ts';
import { sessionEnd } from '../../market/session-path.ts';
import { useShownSeries } from '../dollars/use-shown-series.ts';

/**
 * One instrument beside the table: its price, chart, book and figures. It follows the chosen row, and
 * takes its quotes from the stream of the board.
 */
export function InstrumentPane({
  place,
  ticker: chosen,
}: ViewProps & { readonly ticker: ReadonlySignal<string | undefined> }) {
  const { live } = useBoard();
  const ticker = chosen.value;
  const quote = ticker === undefined ? undefined : live.quote(ticker).value;
  if (ticker === undefined) return null;
  const range = rangeOf(place);
  const page = instrumentPage(ticker, range);
  return (
    <section class={`pane column gap-5 is-${freshnessOf(quote)}`} aria-label={`Ficha de ${ticker}`}>
      <header class="pane-title beside">
        <h2>
          <a class="plain" href={formatRoute(page)}>
            {ticker}
          </a>
        </h2>
        <InstrumentLine
          ticker={ticker}
          unit={shownUnit(instruments.value.get(ticker), currency.value)}
        />
        <Button look="icon" aria-label="Cerrar la ficha" onClick={() => setPane(false)}>
          <CloseIcon />
        </Button>
      </header>
      <LastPrice quote={quote} isLoaded={live.moment.value > 0} />
      <Segments
        label="Rango"
        class="ranges"
        choices={rangeChoices}
        chosen={range}
        onChoose={(wanted) => changeLook(place, { range: wanted })}
      />
      <PaneChart ticker={ticker} range={range} quote={quote} />
      {quote !== undefined && <Book quote={quote} />}
      {quote !== undefined && <QuoteFigures quote={quote} />}
      <p class="row">
        <a class="button button-small" href={formatRoute(page)}>
          Abrir la página
        </a>
        <a class="button button-small" href={formatRoute({ page: 'alerts', ticker })}>
          <BellIcon />
          Crear alerta
        </a>
        <ListMenu ticker={ticker} />
      </p>
    </section>
  );
}

/** The best bid and offer of an instrument, and how far they are from each other. */
function Book({ quote }: { readonly quote: Quote }) {
  if (quote.compra === undefined && quote.venta === undefined) {
    return <p class="hint">Sin puntas: no hay órdenes, o la fuente no las informa.</p>;
  }
  const { value, percent } = spreadOf(quote) ?? {};
  const difference =
    value !== undefined && value < 0 ? (
      <span title="Como en una subasta">Cruzadas</span>
    ) : (
      <>
        {formatPrice(value, decimalsOf(quote))}
        {percent !== undefined && <span class="order-size"> {formatPercent(percent)}</span>}
      </>
    );
  return <Figures class="book" figures={[...bookFigures(quote), ['Diferencia', difference]]} />;
}

/** Time on one instrument after which its series is requested, in milliseconds. */
const settleMs = 150;

/**
 * The chart of the instrument beside the table. One that was seen lately is drawn at once; another one
 * is requested when the visitor stays on it.
 */
function PaneChart({
  ticker,
  range,
  quote,
}: {
  readonly ticker: string;
  readonly range: RangeCode;
  readonly quote: Quote | undefined;
}) {
  const { live } = useBoard();
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
    <div class="pane-chart column gap-3">
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
