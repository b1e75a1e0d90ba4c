import { useComputed, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { changeTickers, moveItem } from '../../market/lists/ticker-lists.ts';
import type { BoardPlace } from '../../places/route.ts';
import { goTo } from '../../places/location.ts';
import { isOwnList } from '../state/board-look.ts';
import {
  density,
  convention,
  filter,
  instrumentPage,
  setSorting,
  sorting,
} from '../state/board-state.ts';
import { EmptyBoard } from '../state/empty-board.tsx';
import { BoardRow } from './board-row.tsx';
import { useBoard, type ViewProps } from '../state/board-context.ts';
import { stopAmong, tickerAt } from '../../ui/screen/tab-stop.ts';
import { unfit } from '../state/chosen-columns.ts';
import { linkOf, useKeptScroll } from '../state/use-kept-scroll.ts';
import { probeText, useFrameSize, useTableLayout } from './table-layout.ts';
import type { Column, SortField } from '../../market/columns.ts';
import { conventionNote } from '../../market/facts/conventions.ts';
import { nextSorting } from '../../market/sort-rows.ts';
import { lazy } from '../../ui/lazy.tsx';
import { PaneDivider } from '../pane/pane-divider.tsx';
import { hasPane, paneWidth } from '../pane/pane-layout.ts';

/**
 * The table of quotes. Each row follows its own quote, so a change redraws one row.
 *
 * Each row is a separate grid and has no layout while it is out of view (`content-visibility` in
 * the styles). In an ordinary table, a change of one row would repaint all rows. The ARIA roles
 * make it a table for screen readers.
 */
function BoardTable({
  place,
  beside,
}: ViewProps & {
  /** The ticker beside the table. Undefined without a pane there: then a click opens the instrument. */
  readonly beside: ReadonlySignal<string | undefined> | undefined;
}) {
  const { live, shown, chosen } = useBoard();
  const tickers = shown.value;
  const focusable = useComputed(() => stopAmong(shown.value, chosen));
  const body = useRef<HTMLTableSectionElement>(null);
  const { frame, onScroll } = useKeptScroll(tickers.length, chosen);
  const { probe, ...size } = useFrameSize(frame);
  const layout = useTableLayout(size);
  // The widths of the columns follow from the quotes and from the size of the frame, whichever comes later.
  const isLaidOut = live.isLoaded.value && size.width.value > 0;
  useEffect(() => {
    unfit.value = layout.unfit;
  }, [layout]);
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
        class={`board board-${density.value} ${layout.isWide ? 'board-wide' : ''} ${isLaidOut ? '' : 'is-awaited'}`}
        style={layout.style}
        aria-busy={!isLaidOut}
      >
        <TableHeader columns={layout.columns} />
        <tbody
          role="rowgroup"
          ref={body}
          onClick={beside === undefined ? openClicked : chooseClicked}
          onDblClick={beside === undefined ? undefined : openClicked}
          onKeyDown={onKeyDown}
          onFocusIn={(event) => (chosen.value = tickerAt(event.target))}
        >
          {tickers.map((ticker) => (
            <BoardRow
              key={ticker}
              ticker={ticker}
              focusable={focusable}
              beside={beside}
              columns={layout.columns}
              columnDecimals={layout.decimals}
            />
          ))}
        </tbody>
      </table>
      <span ref={probe} class={`digit-probe board-${density.value}`} aria-hidden="true">
        {probeText}
      </span>
      {tickers.length === 0 && <EmptyBoard />}
    </div>
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
  if (ticker !== undefined && !isSelecting) goTo(instrumentPage(ticker));
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
  if (isOwnList(place) && isOwnOrder) {
    changeTickers(place.name, (now) => moveItem(now, ticker, by));
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

/** The headers, which sort. */
function TableHeader({ columns }: { readonly columns: readonly Column[] }) {
  const note = conventionNote(convention.value);
  return (
    <thead role="rowgroup">
      <tr role="row">
        <HeaderCell field="especie" title="Especie" meaning="Especie" />
        {columns.map(({ field, title, meaning, isByConvention }) => (
          <HeaderCell
            key={field}
            field={field}
            title={title}
            meaning={isByConvention === true ? `${meaning}, ${note}` : meaning}
          />
        ))}
      </tr>
    </thead>
  );
}

function HeaderCell({
  field,
  title,
  meaning,
}: Pick<Column, 'title' | 'meaning'> & {
  readonly field: SortField | 'rueda';
}) {
  const by = sorting.value?.field === field ? sorting.value : undefined;
  const way = by === undefined ? undefined : by.isDescending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" class={`col-${field}`} aria-sort={way}>
      {field === 'rueda' ? (
        <span class="column-title" title={meaning}>
          {title}
        </span>
      ) : (
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
      )}
    </th>
  );
}

// The pane is part of boards on wide screens alone.
const InstrumentPane = lazy(
  async () => (await import('../pane/instrument-pane.tsx')).InstrumentPane,
);

/** The table of a board and, beside it, the instrument of the chosen row. */
export function TableView({ place }: ViewProps) {
  const { live, shown, chosen } = useBoard();
  const isPaneOpen = hasPane(place);
  /** The instrument in the pane. A filter may hide its row. */
  const beside = useComputed(() => {
    const { value } = chosen;
    const isMember = value !== undefined && live.tickers.value.includes(value);
    return isMember ? value : shown.value[0];
  });
  return (
    <div class="board-split view filling" style={{ '--pane': `${paneWidth.value}px` }}>
      <BoardTable place={place} beside={isPaneOpen ? beside : undefined} />
      {isPaneOpen && (
        <>
          <PaneDivider />
          <div class="pane-frame">
            <InstrumentPane place={place} ticker={beside} />
          </div>
        </>
      )}
    </div>
  );
}
