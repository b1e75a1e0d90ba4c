import type { ReadonlySignal } from '@preact/signals';

import { shownUnit } from '../../chart/figures/conversion.ts';
import { rangeChoices } from '../../chart/series/range.ts';
import { silentSince } from '../../market/connection.ts';
import { InstrumentLine, LastPrice } from '../../market/figures/last-price.tsx';
import { bookFigures, Figures, QuoteFigures } from '../../market/figures/quote-figures.tsx';
import { freshnessOf } from '../../market/freshness.ts';
import { instruments } from '../../market/instruments.ts';
import { ListMenu } from '../../market/lists/list-menu.tsx';
import type { ViewProps } from '../state/view-props.ts';
import { formatRoute } from '../../places/route.ts';
import { currency, instrumentPage } from '../state/board-state.ts';
import { Button } from '../../ui/button.tsx';
import { BellIcon, CloseIcon } from '../../ui/icons.tsx';
import { Segments } from '../../ui/segments.tsx';
import { changeLook, rangeOf } from '../state/board-look.ts';
import { PaneChart } from './pane-chart.tsx';
import { setPane } from './pane-layout.ts';
import type { Quote } from '../../market/api/quote.ts';
import { decimalsOf } from '../../market/columns.ts';
import { formatPercent, formatPrice } from '../../market/format/numbers.ts';
import { spreadOf } from '../../market/format/spread.ts';

/**
 * One instrument beside the table: its price, chart, book and figures. It follows the chosen row, and
 * takes its quotes from the stream of the board.
 */
export function InstrumentPane({
  place,
  live,
  ticker: chosen,
}: ViewProps & { readonly ticker: ReadonlySignal<string | undefined> }) {
  void live.tickers.value;
  const ticker = chosen.value;
  const quote = ticker === undefined ? undefined : live.quote(ticker)?.value;
  if (ticker === undefined) return null;
  const isSilent = silentSince.value !== undefined;
  const state = isSilent || quote === undefined ? 'unknown' : freshnessOf(quote);
  const range = rangeOf(place);
  const page = instrumentPage(ticker, range);
  return (
    <section class={`pane is-${state}`} aria-label={`Ficha de ${ticker}`}>
      <header class="pane-title">
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
      <PaneChart ticker={ticker} range={range} live={live} quote={quote} />
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
