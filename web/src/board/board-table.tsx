import { useComputed, useSignal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import type { Quote } from '../api/quote.ts';
import { instruments } from '../market/instruments.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { goTo } from '../shell/location.ts';
import { density } from '../shell/preferences.ts';
import { instrumentRoute } from '../route.ts';
import { BoardRow } from './board-row.tsx';
import { columns } from './columns.ts';
import { nextSorting, sortRows } from './sort-rows.ts';
import type { SortField, Sorting } from './sort-rows.ts';

/**
 * The table. A row follows its own quote, so a change costs one row; the order is looked at again at
 * most once a second, so that rows do not run away from the hand.
 *
 * Each row is laid out by itself, as a grid, and not at all while it is out of view
 * (`content-visibility` in the styles): a row of a laid-out table would have all the others painted
 * again with it. The roles say that it is a table still.
 */
export function BoardTable({
  live,
  filter,
}: {
  readonly live: LiveQuotes;
  readonly filter: ReadonlySignal<string>;
}) {
  const sorting = useSignal<Sorting | undefined>(undefined);
  const current = useSignal<string | undefined>(undefined);
  const shown = useComputed(() => {
    if (sorting.value !== undefined) void live.moment.value;
    void live.tickers.value;
    const wanted = fold(filter.value);
    const rows = sortRows(live.all(), sorting.value);
    return rows.map(({ especie }) => especie).filter((ticker) => matches(ticker, wanted));
  });
  const tickers = shown.value;
  const focusable = useComputed(() => {
    const at = current.value;
    return at !== undefined && shown.value.includes(at) ? at : shown.value[0];
  });
  const body = useRef<HTMLTableSectionElement>(null);
  return (
    <div class="table-frame" tabIndex={-1}>
      <table role="table" class={`board board-${density.value}`}>
        <thead role="rowgroup">
          <tr role="row">
            <HeaderCell field="especie" title="Especie" meaning="Especie" sorting={sorting} />
            {columns.map(({ field, title, meaning }) => (
              <HeaderCell
                key={field}
                field={field}
                title={title}
                meaning={meaning}
                sorting={sorting}
              />
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          ref={body}
          onClick={openClicked}
          onKeyDown={(event) => moveFocus(event, body.current)}
          onFocusIn={(event) => {
            current.value = tickerAt(event.target);
          }}
        >
          {tickers.map((ticker) => {
            const quote = live.quote(ticker) as ReadonlySignal<Quote>;
            return <BoardRow key={ticker} quote={quote} focusable={focusable} />;
          })}
        </tbody>
      </table>
      {tickers.length === 0 && <p class="table-empty">{emptyText(live, filter.value)}</p>}
    </div>
  );
}

/** Why there are no rows; nothing while that is not known yet. */
function emptyText(live: LiveQuotes, filter: string): string {
  if (live.tickers.value.length > 0) return `Ninguna especie coincide con «${filter}».`;
  return live.moment.value > 0 ? 'Todavía no hay cotizaciones en este panel.' : '';
}

function HeaderCell({
  field,
  title,
  meaning,
  sorting,
}: {
  readonly field: SortField;
  readonly title: string;
  readonly meaning: string;
  readonly sorting: Signal<Sorting | undefined>;
}) {
  const by = sorting.value?.field === field ? sorting.value : undefined;
  const way = by === undefined ? undefined : by.isDescending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" class={`col-${field}`} aria-sort={way}>
      <button
        type="button"
        title={`${meaning}. Ordenar`}
        onClick={() => {
          sorting.value = nextSorting(sorting.value, field);
        }}
      >
        {way !== undefined && <span class={`sort-mark ${way}`} aria-hidden="true" />}
        {title}
      </button>
    </th>
  );
}

/** A click anywhere on a row opens its instrument; on the link itself the browser does. */
function openClicked(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('a') !== null) return;
  const isSelecting = getSelection()?.isCollapsed === false;
  const ticker = tickerAt(target);
  if (ticker !== undefined && !isSelecting) goTo(instrumentRoute(ticker));
}

/** Arrow keys go from row to row, so that the table is one stop of the Tab key. */
function moveFocus(event: KeyboardEvent, body: HTMLElement | null): void {
  const links = [...(body?.querySelectorAll<HTMLElement>('a[data-ticker]') ?? [])];
  const at = links.findIndex((link) => link === document.activeElement);
  const page = 10;
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: links.length - 1,
  }[event.key];
  if (to === undefined || at === -1) return;
  event.preventDefault();
  links[Math.max(0, Math.min(links.length - 1, to))]?.focus();
}

function tickerAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest('tr')?.querySelector<HTMLElement>('a[data-ticker]')?.dataset['ticker'];
}

function matches(ticker: string, wanted: string): boolean {
  if (wanted === '') return true;
  const name = instruments.value.get(ticker)?.nombre ?? '';
  return fold(`${ticker} ${name}`).includes(wanted);
}

/** Without accents and capitals, as people type. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}
