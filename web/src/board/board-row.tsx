import { useComputed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { Quote } from '../api/quote.ts';
import { markets, serviceNow } from '../market/health-watch.ts';
import { changeUnitOf, instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../route.ts';
import { columns } from './columns.ts';
import { flash } from './flash.ts';
import { freshnessOf } from './freshness.ts';
import type { Freshness } from './freshness.ts';

const freshnessTexts: Readonly<Record<Freshness, string>> = {
  fresh: 'Al día',
  stale: 'Sin novedad',
  closed: 'Mercado cerrado',
  unknown: 'Sin datos de su mercado',
};

/** One instrument, as it changes. */
export function BoardRow({
  quote: source,
  focusable,
}: {
  readonly quote: ReadonlySignal<Quote>;
  /** The ticker of the one row that the Tab key stops at. */
  readonly focusable: ReadonlySignal<string | undefined>;
}) {
  const quote = source.value;
  const { especie } = quote;
  const info = instruments.value.get(especie);
  const unit = changeUnitOf(info);
  const market = info === undefined ? undefined : markets.value.get(info.mercado);
  const freshness = freshnessOf(quote, market, serviceNow());
  const isFocusable = useComputed(() => focusable.value === especie).value;
  const row = useFlash(quote.ultimo);
  return (
    <tr role="row" ref={row} class={`row-${freshness}`}>
      <th role="rowheader" scope="row" class="col-especie">
        <span class="instrument">
          <span class={`dot dot-${freshness}`} title={freshnessTexts[freshness]} />
          <a
            href={formatRoute(instrumentRoute(especie))}
            data-ticker={especie}
            tabIndex={isFocusable ? 0 : -1}
          >
            {especie}
          </a>
          <span class="visually-hidden">{freshnessTexts[freshness]}</span>
          <span class="instrument-name">{info?.nombre}</span>
        </span>
      </th>
      {columns.map(({ field, isChange, format }) => (
        <td
          key={field}
          role="cell"
          class={`col-${field} ${isChange ? direction(quote[field]) : ''}`}
        >
          {format(quote, unit)}
        </td>
      ))}
    </tr>
  );
}

/** Lights up the price when it moves, in the colour of the way it went. */
function useFlash(last: number) {
  const row = useRef<HTMLTableRowElement>(null);
  const before = useRef(last);
  useEffect(() => {
    const cell = row.current?.querySelector<HTMLElement>('.col-ultimo');
    if (cell && last !== before.current) flash(cell, last > before.current ? 'up' : 'down');
    before.current = last;
  }, [last]);
  return row;
}

function direction(value: string | number | null | undefined): string {
  if (typeof value !== 'number' || value === 0) return 'change';
  return value > 0 ? 'change up' : 'change down';
}
