import { useAgeText } from '../ages.ts';
import type { Quote } from '../api/quote.ts';
import { decimalsOf } from '../columns.ts';
import { wayOf } from '../format/direction.ts';
import { formatChange, formatDay, formatPrice, type ChangeUnit } from '../format/numbers.ts';
import { freshnessOf } from '../freshness.ts';
import styles from '../../styles/instrument.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/** The price of an instrument with its change and its time. */
export function LastPrice({
  quote,
  unit,
}: {
  readonly quote: Quote;
  readonly unit: ChangeUnit | undefined;
}) {
  const decimals = decimalsOf(quote);
  const freshness = freshnessOf(quote);
  const age = useAgeText(quote);
  return (
    <p class={`quote-last is-${freshness}`}>
      <span class="quote-price">{formatPrice(quote.ultimo, decimals)}</span>
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
