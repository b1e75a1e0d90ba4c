import { computed, useComputed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import type { Quote } from '../../market/api/quote.ts';
import { wayOf } from '../../market/format/direction.ts';
import { absent } from '../../market/format/numbers.ts';
import { lookedAt, markets, today } from '../../market/health-watch.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../../places/route.ts';
import { decimalsOf } from '../../market/columns.ts';
import type { Column, RowFormat } from '../../market/columns.ts';
import { flash } from './flash.ts';
import { freshnessOf } from './freshness.ts';
import type { Freshness } from './freshness.ts';
import { Sparkline } from './sparkline.tsx';
import type { WatchedPaths } from './use-session-paths.ts';

const freshnessTexts: Readonly<Record<Freshness | 'missing', string>> = {
  fresh: 'Al día',
  stale: 'Sin cambios en los últimos 15 minutos',
  closed: 'Mercado cerrado',
  earlier: 'De una rueda anterior',
  unknown: 'Sin datos del mercado',
  missing: 'Sin cotización',
};

/** The row of one instrument. It is redrawn when its quote changes. */
export function BoardRow({
  ticker,
  quote: source,
  focusable,
  columns,
  columnDecimals,
  watched,
}: {
  readonly ticker: string;
  readonly quote: ReadonlySignal<Quote | undefined> | undefined;
  /** The ticker of the only row that the Tab key reaches. */
  readonly focusable: ReadonlySignal<string | undefined>;
  readonly columns: readonly Column[];
  /** The maximum number of decimals of a price on the board. */
  readonly columnDecimals: number;
  readonly watched: WatchedPaths;
}) {
  const quote = source?.value;
  const info = instruments.value.get(ticker);
  const freshness = useFreshness(ticker, source);
  const decimals = quote === undefined ? 2 : decimalsOf(quote);
  const how = { unit: changeUnitOf(info), decimals, today: today.value };
  const isFocusable = useComputed(() => focusable.value === ticker).value;
  const row = useFlash(quote?.ultimo);
  const shift = String(Math.max(0, columnDecimals - decimals));
  return (
    <tr role="row" ref={row} class={`row-${freshness}`} style={{ '--shift': shift }}>
      <th role="rowheader" scope="row" class="col-especie">
        <span class="instrument">
          <span class={`dot dot-${freshness}`} title={freshnessTexts[freshness]} />
          <a
            href={formatRoute(instrumentRoute(ticker))}
            data-ticker={ticker}
            tabIndex={isFocusable ? 0 : -1}
          >
            {ticker}
          </a>
          <span class="visually-hidden">{freshnessTexts[freshness]}</span>
          <span class="instrument-name">{info?.nombre}</span>
        </span>
      </th>
      {columns.map((column) =>
        column.isDrawn === true ? (
          <Sparkline
            key={column.field}
            ticker={ticker}
            day={quote?.fecha}
            previous={quote?.anterior}
            watched={watched}
          />
        ) : (
          <Cell key={column.field} column={column} quote={quote} how={how} />
        ),
      )}
    </tr>
  );
}

/** The freshness of a quote. Time alone redraws a row only when this value changes. */
function useFreshness(
  ticker: string,
  source: ReadonlySignal<Quote | undefined> | undefined,
): Freshness | 'missing' {
  const known = useMemo(
    () =>
      computed(() => {
        const quote = source?.value;
        if (quote === undefined) return 'missing';
        const market = markets.value.get(instruments.value.get(ticker)?.mercado ?? '');
        return freshnessOf(quote, market, lookedAt.value);
      }),
    [ticker, source],
  );
  return known.value;
}

function Cell({
  column: { field, isChange, isPrice, format },
  quote,
  how,
}: {
  readonly column: Column;
  readonly quote: Quote | undefined;
  readonly how: RowFormat;
}) {
  const value = field === 'rueda' ? undefined : quote?.[field];
  const kind = isChange
    ? `change ${typeof value === 'number' ? wayOf(value) : ''}`
    : isPrice
      ? 'price'
      : '';
  const when = field === 'hora' && quote?.hora !== undefined ? `${quote.fecha} ${quote.hora}` : '';
  return (
    <td role="cell" class={`col-${field} ${kind}`} {...(when === '' ? {} : { title: when })}>
      {quote === undefined ? absent : format(quote, how)}
    </td>
  );
}

/** Highlights the price when it changes, in the colour of its direction. */
function useFlash(last: number | undefined) {
  const row = useRef<HTMLTableRowElement>(null);
  const before = useRef(last);
  useEffect(() => {
    const cell = row.current?.querySelector<HTMLElement>('.col-ultimo');
    if (cell && last !== undefined && before.current !== undefined && last !== before.current) {
      flash(cell, last > before.current ? 'up' : 'down');
    }
    before.current = last;
  }, [last]);
  return row;
}
