import { useComputed } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { moveInList } from '../../market/lists/stored-lists.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { instrumentRoute } from '../../places/route.ts';
import { goTo } from '../../places/location.ts';
import { density } from '../../ui/preferences.ts';
import type { SessionPaths } from '../paths/session-paths.ts';
import { BoardRow } from './board-row.tsx';
import type { BoardPlace } from '../../places/route.ts';
import { nextSorting } from '../../market/sort-rows.ts';
import type { SortField } from '../../market/sort-rows.ts';
import { filter, setSorting, sorting } from '../state/board-state.ts';
import { linkOf, useKeptScroll } from '../state/use-kept-scroll.ts';
import { useTableLayout } from './table-layout.ts';

/**
 * The table of quotes. Each row follows its own quote, so a change redraws one row.
 *
 * Each row is a separate grid and has no layout while it is out of view (`content-visibility` in
 * the styles). In an ordinary table, a change of one row would repaint all rows. The ARIA roles
 * make it a table for screen readers.
 */
export function BoardTable({
  place,
  live,
  paths,
  shown,
  chosen,
  beside,
}: {
  readonly place: BoardPlace;
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
  /** The tickers of the rows, in order. */
  readonly shown: ReadonlySignal<readonly string[]>;
  /** The ticker of the row that had the focus or a click last. */
  readonly chosen: Signal<string | undefined>;
  /** The ticker beside the table. Undefined without a pane there: then a click opens the instrument. */
  readonly beside: ReadonlySignal<string | undefined> | undefined;
}) {
  const tickers = shown.value;
  const focusable = useComputed(() => {
    const at = chosen.value;
    return at !== undefined && shown.value.includes(at) ? at : shown.value[0];
  });
  const body = useRef<HTMLTableSectionElement>(null);
  const { frame, onScroll } = useKeptScroll(tickers.length, chosen);
  const layout = useTableLayout(live);
  const onKeyDown = (event: KeyboardEvent) => {
    const ticker = tickerAt(event.target);
    if (ticker !== undefined && !handleRowKey(event, ticker, place)) {
      moveFocus(event, body.current);
    }
  };
  return (
    <div class="table-frame" tabIndex={-1} ref={frame} onScroll={onScroll}>
      <table
        role="table"
        class={`board board-${density.value} ${layout.columns.length > columnsMax ? 'board-wide' : ''}`}
        style={layout.style}
      >
        <thead role="rowgroup">
          <tr role="row">
            <HeaderCell field="especie" title="Especie" meaning="Especie" />
            {layout.columns.map(({ field, title, meaning }) =>
              field === 'rueda' ? (
                <th role="columnheader" key={field} scope="col" class="col-rueda" title={meaning}>
                  <span class="column-title">{title}</span>
                </th>
              ) : (
                <HeaderCell key={field} field={field} title={title} meaning={meaning} />
              ),
            )}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          ref={body}
          onClick={beside === undefined ? openClicked : chooseClicked}
          onDblClick={beside === undefined ? undefined : openClicked}
          onKeyDown={onKeyDown}
          onFocusIn={(event) => {
            chosen.value = tickerAt(event.target);
          }}
        >
          {tickers.map((ticker) => (
            <BoardRow
              key={ticker}
              ticker={ticker}
              quote={live.quote(ticker)}
              focusable={focusable}
              beside={beside}
              columns={layout.columns}
              columnDecimals={layout.decimals}
              paths={paths}
            />
          ))}
        </tbody>
      </table>
      {tickers.length === 0 && <p class="table-empty">{emptyText(live)}</p>}
    </div>
  );
}

/** With more columns, the table is wider than most screens. */
const columnsMax = 11;

/** The reason why there are no rows. Empty while the reason is unknown. */
function emptyText(live: LiveQuotes): string {
  if (live.tickers.value.length > 0) return `Ninguna especie coincide con «${filter.value}».`;
  return live.moment.value > 0 ? 'No hay especies para mostrar.' : '';
}

function HeaderCell({
  field,
  title,
  meaning,
}: {
  readonly field: SortField;
  readonly title: string;
  readonly meaning: string;
}) {
  const by = sorting.value?.field === field ? sorting.value : undefined;
  const way = by === undefined ? undefined : by.isDescending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" class={`col-${field}`} aria-sort={way}>
      <button
        type="button"
        title={`${meaning}. Ordenar`}
        onClick={() => {
          setSorting(nextSorting(sorting.value, field));
        }}
      >
        {way !== undefined && <span class={`sort-mark ${way}`} aria-hidden="true" />}
        {title}
      </button>
    </th>
  );
}

/**
 * Opens the instrument of the clicked row. The browser handles a click on the link. A double click
 * selects a word, which is no reason not to open it.
 */
function openClicked(event: MouseEvent): void {
  const { target, type } = event;
  if (!(target instanceof Element) || target.closest('a') !== null) return;
  const isSelecting = type === 'click' && getSelection()?.isCollapsed === false;
  const ticker = tickerAt(target);
  if (ticker !== undefined && !isSelecting) goTo(instrumentRoute(ticker));
}

/** Moves the focus to the clicked row, so that the pane shows it and the arrow keys continue from it. */
function chooseClicked({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a') !== null) return;
  const isSelecting = getSelection()?.isCollapsed === false;
  const link = target.closest('tr')?.querySelector<HTMLElement>('a[data-ticker]');
  if (!isSelecting) link?.focus({ preventScroll: true });
}

/**
 * Handles the keys of a row that are not movements: `a` creates an alert; Alt with an arrow moves
 * the instrument within its list, in the order of the list. Returns whether the key is one of them.
 */
function handleRowKey(event: KeyboardEvent, ticker: string, place: BoardPlace): boolean {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (key === 'a' && !altKey && !ctrlKey && !metaKey) {
    goTo({ page: 'alerts', ticker });
    return true;
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!altKey || by === undefined) return false;
  event.preventDefault();
  const isOwnOrder = sorting.value === undefined && filter.value.trim() === '';
  if (place.page === 'list' && place.tickers === undefined && isOwnOrder) {
    moveInList(place.name, ticker, by);
    // The row may lose the focus when the browser moves it.
    requestAnimationFrame(() => focusRow(ticker));
  }
  return true;
}

function focusRow(ticker: string): void {
  linkOf(document, ticker)?.focus();
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
