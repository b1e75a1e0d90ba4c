import { useAgeText } from '../ages.ts';
import type { Quote } from '../api/quote.ts';
import { decimalsOf } from '../columns.ts';
import { isLost } from '../connection.ts';
import { wayOf } from '../format/direction.ts';
import { formatChange, formatDay, formatPrice } from '../format/numbers.ts';
import { freshnessOf, marketOf } from '../freshness.ts';
import { changeUnitOf, instruments } from '../instruments.ts';
import styles from '../../styles/instrument.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/** The name of an instrument, the unit of its price, and its market. */
export function InstrumentLine({
  ticker,
  unit,
}: {
  readonly ticker: string;
  readonly unit: string;
}) {
  const info = instruments.value.get(ticker);
  const market = marketOf(ticker);
  return (
    <p class="muted clip" title={info?.nombre}>
      {info?.nombre}
      {info !== undefined && ` · ${unit}`}
      {market !== undefined && ` · ${market.nombre}, ${market.estado}`}
    </p>
  );
}

/** The price of an instrument with its change and its time. */
export function LastPrice({
  quote,
  isLoaded,
}: {
  readonly quote: Quote | undefined;
  /** Whether the service has sent the quote, if there is one. */
  readonly isLoaded: boolean;
}) {
  const age = useAgeText(quote);
  if (quote === undefined) {
    return <p class="quote-last muted">{isLoaded && !isLost.value ? 'Sin cotización.' : ''}</p>;
  }
  const unit = changeUnitOf(instruments.value.get(quote.especie));
  const freshness = freshnessOf(quote);
  return (
    <p class={`quote-last is-${freshness}`}>
      <span class="quote-price">{formatPrice(quote.ultimo, decimalsOf(quote))}</span>
      <span class={`change ${wayOf(quote.variacion, unit)}`}>
        {formatChange(quote.variacion, unit)}
      </span>
      <span class="muted">
        {formatDay(quote.fecha)}
        {quote.hora !== undefined && `, ${quote.hora}`}
        {quote.hora !== undefined && <span class="wide-only"> (Buenos Aires)</span>}
        {freshness === 'earlier' && ' · de una rueda anterior'}
        {age !== undefined && <span class="is-late"> · {age}</span>}
      </span>
    </p>
  );
}
