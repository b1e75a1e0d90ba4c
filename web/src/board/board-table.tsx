import { useComputed, useSignal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import type { LiveQuotes } from '../market/live-quotes.ts';
import { goTo } from '../shell/location.ts';
import { book, density } from '../shell/preferences.ts';
import { instrumentRoute } from '../route.ts';
import { BoardRow } from './board-row.tsx';
import { nextSorting } from './sort-rows.ts';
import type { SortField, Sorting } from './sort-rows.ts';
import { useTableLayout } from './table-layout.ts';

/**
 * The table of quotes. Each row follows its own quote, so a change redraws one row.
 *
 * Each row is a separate grid and has no layout while it is out of view (`content-visibility` in
 * the styles). In an ordinary table, a change of one row would repaint all rows. The ARIA roles
 * make it a table for screen readers.
 */
export function BoardTable({
  live,
  filter,
  sorting,
  shown,
}: {
  readonly live: LiveQuotes;
  readonly filter: ReadonlySignal<string>;
  readonly sorting: Signal<Sorting | undefined>;
  /** The tickers of the rows, in order. */
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  const current = useSignal<string | undefined>(undefined);
  const tickers = shown.value;
  const focusable = useComputed(() => {
    const at = current.value;
    return at !== undefined && shown.value.includes(at) ? at : shown.value[0];
  });
  const body = useRef<HTMLTableSectionElement>(null);
  const layout = useTableLayout(live);
  return (
    <div class="table-frame" tabIndex={-1}>
      <table
        role="table"
        class={`board board-${density.value} board-book-${book.value}`}
        style={layout.style}
      >
        <thead role="rowgroup">
          <tr role="row">
            <HeaderCell field="especie" title="Especie" meaning="Especie" sorting={sorting} />
            {layout.columns.map(({ field, title, meaning }) => (
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
          {tickers.map((ticker) => (
            <BoardRow
              key={ticker}
              ticker={ticker}
              quote={live.quote(ticker)}
              focusable={focusable}
              columns={layout.columns}
              columnDecimals={layout.decimals}
            />
          ))}
        </tbody>
      </table>
      {tickers.length === 0 && <p class="table-empty">{emptyText(live, filter.value)}</p>}
    </div>
  );
}

/** The reason why there are no rows. Empty while the reason is unknown. */
function emptyText(live: LiveQuotes, filter: string): string {
  if (live.tickers.value.length > 0) return `Ninguna especie coincide con «${filter}».`;
  return live.moment.value > 0 ? 'Este panel no tiene especies.' : '';
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

/** Opens the instrument of the clicked row. The browser handles a click on the link. */
function openClicked(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('a') !== null) return;
  const isSelecting = getSelection()?.isCollapsed === false;
  const ticker = tickerAt(target);
  if (ticker !== undefined && !isSelecting) goTo(instrumentRoute(ticker));
}

/**
 * Moves the focus between rows with the arrow keys, so that the table is a single stop of the Tab
 * key.
 */
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
