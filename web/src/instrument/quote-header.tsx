import type { Quote } from '../market/api/quote.ts';
import { decimalsOf } from '../market/columns.ts';
import { wayOf } from '../market/format/direction.ts';
import { formatChange, formatDay, formatPrice, formatVolume } from '../market/format/numbers.ts';
import { freshnessOf, marketOf } from '../market/freshness.ts';
import { changeUnitOf, instruments } from '../market/instruments.ts';
import { usePageTitle } from '../ui/use-page-title.ts';

/** The quote of one instrument, in real time. */
export function QuoteHeader({
  ticker,
  quote,
  isLoaded,
}: {
  readonly ticker: string;
  readonly quote: Quote | undefined;
  /** Whether the service has sent the quote, if there is one. */
  readonly isLoaded: boolean;
}) {
  const info = instruments.value.get(ticker);
  const market = marketOf(ticker);
  usePageTitle(titleOf(ticker, quote, changeUnitOf(info)));
  return (
    <header class="quote-header">
      <div class="quote-title">
        <h1>{ticker}</h1>
        <p class="muted">
          {info?.nombre}
          {market !== undefined && ` · ${market.nombre}, ${market.estado}`}
          {info !== undefined && ` · ${info.moneda}`}
        </p>
      </div>
      {quote === undefined ? (
        <p class="muted">{isLoaded ? 'Sin cotización.' : ''}</p>
      ) : (
        <LastPrice quote={quote} unit={changeUnitOf(info)} />
      )}
    </header>
  );
}

/** The ticker and its price, for the title of a background tab. */
function titleOf(
  ticker: string,
  quote: Quote | undefined,
  unit: ReturnType<typeof changeUnitOf>,
): string {
  if (quote === undefined) return ticker;
  const price = formatPrice(quote.ultimo, decimalsOf(quote));
  if (quote.variacion === null) return `${ticker} ${price}`;
  return `${ticker} ${price} ${formatChange(quote.variacion, unit)}`;
}

function LastPrice({
  quote,
  unit,
}: {
  readonly quote: Quote;
  readonly unit: ReturnType<typeof changeUnitOf>;
}) {
  const decimals = decimalsOf(quote);
  const freshness = freshnessOf(quote);
  return (
    <p class={`quote-last is-${freshness}`}>
      <span class="quote-price">{formatPrice(quote.ultimo, decimals)}</span>
      <span class={`change ${wayOf(quote.variacion)}`}>{formatChange(quote.variacion, unit)}</span>
      <span class="muted">
        {formatDay(quote.fecha)}
        {quote.hora !== undefined && `, ${quote.hora}`}
        {quote.hora !== undefined && <span class="wide-only"> (Buenos Aires)</span>}
        {freshness === 'earlier' && ' · de una rueda anterior'}
      </span>
    </p>
  );
}

/** The other values of a quote. */
export function QuoteFigures({ quote }: { readonly quote: Quote }) {
  const decimals = decimalsOf(quote);
  const freshness = freshnessOf(quote);
  return (
    <dl class={`figures is-${freshness}`}>
      <Figure name="Anterior" value={formatPrice(quote.anterior, decimals)} />
      <Figure name="Apertura" value={formatPrice(quote.apertura, decimals)} />
      <Figure name="Mínimo" value={formatPrice(quote.minimo, decimals)} />
      <Figure name="Máximo" value={formatPrice(quote.maximo, decimals)} />
      <Figure name="Mes" value={formatChange(quote.varMTD, 'percent')} way={wayOf(quote.varMTD)} />
      <Figure name="Año" value={formatChange(quote.varYTD, 'percent')} way={wayOf(quote.varYTD)} />
      <Figure name="Volumen" value={formatVolume(quote.volumen)} />
    </dl>
  );
}

/** One value with its label. */
function Figure({
  name,
  value,
  way,
}: {
  readonly name: string;
  readonly value: string;
  readonly way?: string;
}) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class={way === undefined ? '' : `change ${way}`}>{value}</dd>
    </div>
  );
}
