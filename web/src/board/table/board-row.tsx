import { computed, useComputed, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { useAgeText, freshnessOf, marketOf, type Freshness } from '../../market/freshness.ts';
import type { MarketState, Quote } from '../../market/api/quote.ts';
import { isLost } from '../../market/connection.ts';
import { wayOf } from '../../market/format/numbers.ts';
import { nameParts } from '../../market/format/instrument-name.ts';
import { today } from '../../market/health-watch.ts';
import { changeUnitOf } from '../../market/instruments.ts';
import { formatRoute } from '../../places/route.ts';
import { instrumentPage } from '../state/board-state.ts';
import type { RowFacts } from '../../market/facts/instrument-facts.ts';
import { decimalsOf, type Column, type RowFormat } from '../../market/columns.ts';
import type { FindFacts } from '../../market/sort-rows.ts';
import { PathDrawing } from '../../market/figures/path-drawing.tsx';
import { useBoard } from '../state/board-context.ts';

/** What the dot of a row means. That of a quote of the session is the state of its market. */
type RowState = MarketState['estado'] | Exclude<Freshness, 'current'> | 'missing';

const stateTexts: Readonly<Record<RowState, string>> = {
  abierto: 'Mercado abierto',
  cerrado: 'Mercado cerrado',
  earlier: 'De una rueda anterior',
  unknown: 'No se sabe si está al día',
  missing: 'Sin cotización',
};

/** The row of one instrument. It is redrawn when its quote changes. */
export function BoardRow({
  ticker,
  focusable,
  beside,
  columns,
  columnDecimals,
}: {
  readonly ticker: string;
  /** The ticker of the only row that the Tab key reaches. */
  readonly focusable: ReadonlySignal<string | undefined>;
  /** The ticker beside the table. Undefined without a pane there. */
  readonly beside: ReadonlySignal<string | undefined> | undefined;
  readonly columns: readonly Column[];
  /** The maximum number of decimals of a price on the board. */
  readonly columnDecimals: number;
}) {
  const { live, factsOf } = useBoard();
  const source = live.quote(ticker);
  const quote = source.value;
  const beyond = useFacts(factsOf, ticker);
  const { info } = beyond;
  const state = useRowState(ticker, source);
  const decimals = quote === undefined ? 2 : decimalsOf(quote);
  const facts = { quote, ...beyond };
  const how = { unit: changeUnitOf(info), decimals, today: today.value };
  const isFocusable = useComputed(() => focusable.value === ticker).value;
  const isBeside = useMemo(() => computed(() => beside?.value === ticker), [beside, ticker]).value;
  const row = useFlash(quote?.ultimo);
  const [head, tail] = nameParts(info?.nombre ?? '');
  const shift = String(Math.max(0, columnDecimals - decimals));
  return (
    <tr
      role="row"
      ref={row}
      class={`row-${state} ${isBeside ? 'is-beside' : ''}`}
      style={{ '--shift': shift }}
    >
      <th role="rowheader" scope="row" class="col-especie">
        <span class="instrument">
          <span class={`dot dot-${state}`} title={stateTexts[state]} />
          <a
            class="plain strong"
            href={formatRoute(instrumentPage(ticker))}
            data-ticker={ticker}
            tabIndex={isFocusable ? 0 : -1}
            aria-current={isBeside ? 'true' : undefined}
          >
            {ticker}
          </a>
          <span class="visually-hidden">{stateTexts[state]}</span>
          <span class="instrument-name" title={info?.nombre}>
            <span>{head}</span>
            {tail}
          </span>
        </span>
      </th>
      {columns.map((column) =>
        column.isDrawn === true ? (
          <td key={column.field} role="cell" class="col-rueda">
            <PathDrawing
              ticker={ticker}
              day={quote?.fecha}
              previous={quote?.anterior}
              live={live}
              isDescribed
            />
          </td>
        ) : column.field === 'hora' ? (
          <TimeCell key="hora" quote={quote} text={column.format(facts, how)} />
        ) : (
          <Cell key={column.field} column={column} facts={facts} how={how} />
        ),
      )}
    </tr>
  );
}

/** What is known of the instrument of a row. The row is redrawn only when its own facts change. */
function useFacts(factsOf: FindFacts, ticker: string): Omit<RowFacts, 'quote'> {
  const known = useMemo(() => {
    let latest: Omit<RowFacts, 'quote'> | undefined;
    return computed(() => {
      const { info, dollar, bond } = factsOf(ticker);
      const isSame = latest?.info === info && latest?.dollar === dollar && latest?.bond === bond;
      if (latest === undefined || !isSame) latest = { info, dollar, bond };
      return latest;
    });
  }, [factsOf, ticker]);
  return known.value;
}

/** The state of a row, which is redrawn only when this value changes. */
function useRowState(ticker: string, source: ReadonlySignal<Quote | undefined>): RowState {
  const known = useMemo(
    () =>
      computed(() => {
        const quote = source.value;
        if (quote === undefined) return isLost.value ? 'unknown' : 'missing';
        const freshness = freshnessOf(quote);
        return freshness === 'current' ? (marketOf(ticker)?.estado ?? 'unknown') : freshness;
      }),
    [ticker, source],
  );
  return known.value;
}

function Cell({
  column: { field, value, isChange, isPrice, format, hint },
  facts,
  how,
}: {
  readonly column: Column;
  readonly facts: RowFacts;
  readonly how: RowFormat;
}) {
  const kind = isChange
    ? `change ${wayOf(Number(value(facts) ?? 0), how.unit)}`
    : isPrice
      ? 'price'
      : '';
  return (
    <td role="cell" class={`col-${field} ${kind}`} title={hint?.(facts)}>
      {format(facts, how)}
    </td>
  );
}

/** The time of the price, or its age if it is no longer recent in an open session. */
function TimeCell({ quote, text }: { readonly quote: Quote | undefined; readonly text: string }) {
  const age = useAgeText(quote);
  const title = quote?.hora === undefined ? undefined : `${quote.fecha} ${quote.hora}`;
  return (
    <td role="cell" class={`col-hora ${age === undefined ? '' : 'is-late'}`} title={title}>
      {age ?? text}
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

/** Time for which a change is highlighted, and the last part of it, which is paler. In milliseconds. */
const flashMs = 900;
const fadingMs = 450;
/** Interval between two looks at what is highlighted, in milliseconds. */
const lookMs = 150;

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** The highlighted elements, with the time of `performance.now()` of the last change of each. */
const changedAt = new Map<HTMLElement, number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Highlights an element for a moment, unless the user prefers reduced motion.
 *
 * The colour changes in two steps. A fading colour or opacity would cost every frame: with a thousand changes a
 * second, most of the time of the main thread. An element that changes again and again stays as it is.
 */
function flash(element: HTMLElement, way: 'up' | 'down'): void {
  if (still.matches) return;
  changedAt.set(element, performance.now());
  mark(element, way);
  timer ??= setTimeout(look, lookMs);
}

function look(): void {
  timer = undefined;
  const now = performance.now();
  for (const [element, at] of changedAt) {
    const way = element.dataset['flash']?.split('-')[0] ?? '';
    if (now - at >= flashMs) {
      changedAt.delete(element);
      delete element.dataset['flash'];
    } else if (now - at >= flashMs - fadingMs) mark(element, `${way}-fading`);
  }
  if (changedAt.size > 0) timer = setTimeout(look, lookMs);
}

/** Sets the attribute only if it changes, because each change costs styles. */
function mark(element: HTMLElement, text: string): void {
  if (element.dataset['flash'] !== text) element.dataset['flash'] = text;
}
