import type { ComponentChildren } from 'preact';

import type { Quote } from '../api/quote.ts';
import { decimalsOf } from '../columns.ts';
import { wayOf } from '../format/direction.ts';
import { formatChange, formatCompact, formatPrice, formatVolume } from '../format/numbers.ts';
import { freshnessOf } from '../freshness.ts';
import { changeUnitOf, instruments } from '../instruments.ts';
import styles from '../../styles/instrument.css?inline';
import { addStyles } from '../../ui/screen/add-styles.ts';

addStyles(styles);

/** The other values of a quote. Without one they have the same place, so that nothing moves when it comes. */
export function QuoteFigures({
  quote,
  more = [],
}: {
  readonly quote: Quote | undefined;
  /** Further values, by their names. */
  readonly more?: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  const decimals = quote === undefined ? 2 : decimalsOf(quote);
  const unit = changeUnitOf(instruments.value.get(quote?.especie ?? ''));
  const freshness = quote === undefined ? 'unknown' : freshnessOf(quote);
  return (
    <dl class={`figures is-${freshness}`}>
      <Figure name="Anterior" value={formatPrice(quote?.anterior, decimals)} />
      <Figure name="Apertura" value={formatPrice(quote?.apertura, decimals)} />
      <Figure name="Mínimo" value={formatPrice(quote?.minimo, decimals)} />
      <Figure name="Máximo" value={formatPrice(quote?.maximo, decimals)} />
      <Figure
        name="Mes"
        value={formatChange(quote?.varMTD, 'percent')}
        way={wayOf(quote?.varMTD ?? null, unit)}
      />
      <Figure
        name="Año"
        value={formatChange(quote?.varYTD, 'percent')}
        way={wayOf(quote?.varYTD ?? null, unit)}
      />
      <Figure name="Volumen" value={formatVolume(quote?.volumen)} />
      <Figure name="Monto" value={formatCompact(quote?.monto)} />
      {more.map(([name, value]) => (
        <Figure key={name} name={name} value={value} />
      ))}
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
  readonly value: ComponentChildren;
  readonly way?: string;
}) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class={way === undefined ? '' : `change ${way}`}>{value}</dd>
    </div>
  );
}
