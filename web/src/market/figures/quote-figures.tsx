import type { ComponentChildren } from 'preact';

import type { Quote } from '../api/quote.ts';
import { decimalsOf } from '../columns.ts';
import { isLost } from '../connection.ts';
import {
  wayOf,
  formatChange,
  formatCompact,
  formatPrice,
  formatVolume,
  formatDay,
} from '../format/numbers.ts';
import { freshnessOf, marketOf, useAgeText } from '../freshness.ts';
import { changeUnitOf, instruments } from '../instruments.ts';
import styles from '../../styles/instrument.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/** A value with its name and, of a change, the class of its direction. */
export type Figure = readonly [name: string, value: ComponentChildren, way?: string];

/** Values with their names. */
export function Figures({
  figures,
  class: name,
}: {
  readonly figures: readonly Figure[];
  readonly class: string;
}) {
  return (
    <dl class={`figures panel ${name}`}>
      {figures.map(([title, value, way]) => (
        <div key={title} class="figure">
          <dt class="hint">{title}</dt>
          <dd class={way === undefined ? '' : `change ${way}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The other values of a quote. Without one they have the same place, so that nothing moves when it comes. */
export function QuoteFigures({
  quote,
  more = [],
}: {
  readonly quote: Quote | undefined;
  readonly more?: readonly Figure[];
}) {
  const decimals = quote === undefined ? 2 : decimalsOf(quote);
  const unit = changeUnitOf(instruments.value.get(quote?.especie ?? ''));
  const change = (name: string, value: number | null | undefined): Figure => [
    name,
    formatChange(value, 'percent'),
    wayOf(value ?? null, unit),
  ];
  return (
    <Figures
      class={`is-${freshnessOf(quote)}`}
      figures={[
        ['Anterior', formatPrice(quote?.anterior, decimals)],
        ['Apertura', formatPrice(quote?.apertura, decimals)],
        ['Mínimo', formatPrice(quote?.minimo, decimals)],
        ['Máximo', formatPrice(quote?.maximo, decimals)],
        change('Mes', quote?.varMTD),
        change('Año', quote?.varYTD),
        ['Volumen', formatVolume(quote?.volumen)],
        ['Monto', formatCompact(quote?.monto)],
        ...more,
      ]}
    />
  );
}

/** The best bid and offer, with their sizes where the source has them. */
export function bookFigures(quote: Quote | undefined): readonly Figure[] {
  const { compra, venta, cantCompra, cantVenta } = quote ?? {};
  const decimals = quote === undefined ? 2 : decimalsOf(quote);
  const order = (price: number | undefined, size: number | undefined) => (
    <>
      {formatPrice(price, decimals)}
      {size !== undefined && <span class="order-size"> × {formatVolume(size)}</span>}
    </>
  );
  return [
    ['Compra', order(compra, cantCompra)],
    ['Venta', order(venta, cantVenta)],
  ];
}

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
    return <p class="quote-last row muted">{isLoaded && !isLost.value ? 'Sin cotización.' : ''}</p>;
  }
  const unit = changeUnitOf(instruments.value.get(quote.especie));
  const freshness = freshnessOf(quote);
  return (
    <p class={`quote-last row is-${freshness}`}>
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
