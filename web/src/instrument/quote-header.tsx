import type { Quote } from '../market/api/quote.ts';
import { decimalsOf } from '../market/columns.ts';
import { LastPrice } from '../market/figures/last-price.tsx';
import { formatChange, formatPrice } from '../market/format/numbers.ts';
import { unitNameOf } from '../market/format/unit-name.ts';
import { marketOf } from '../market/freshness.ts';
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
        <p class="muted" title={info?.nombre}>
          {info?.nombre}
          {market !== undefined && ` · ${market.nombre}, ${market.estado}`}
          {info !== undefined && ` · ${unitNameOf(info)}`}
        </p>
      </div>
      {quote === undefined ? (
        <p class="quote-last muted">{isLoaded ? 'Sin cotización.' : ''}</p>
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
