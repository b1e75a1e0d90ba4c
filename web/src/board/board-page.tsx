import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { lazy } from '../ui/lazy.tsx';
import { KeyNeeded } from '../key/key-needed.tsx';
import { ListNotice } from './lists/list-notice.tsx';
import { usableKey } from '../key/api-key.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import { BoardToolbar } from './board-toolbar.tsx';
import { sourceOf, type BoardSource } from './state/board-source.ts';
import type { BoardPlace } from '../places/route.ts';
import { BrokenLine } from '../market/broken-line.tsx';
import { unfit } from './state/chosen-columns.ts';
import { isBondField, requestedFields } from '../market/columns.ts';
import { filterFields, matches, parseFilter } from './row-filter.ts';
import { hasPane } from './pane/pane-layout.ts';
import { useChosenRow } from './pane/use-chosen-row.ts';
import { PanelTabs } from './panel-tabs.tsx';
import { sortRows } from '../market/sort-rows.ts';
import {
  convention,
  filter,
  sorting,
  isColumnChoiceOpen,
  isListEditorOpen,
} from './state/board-state.ts';
import { bondQuery } from '../market/facts/conventions.ts';
import { chooseConvention } from '../places/bond-convention.ts';
import { useBonds, useRows } from '../market/rows/use-rows.ts';
import { receiptName, receiptsPath } from '../market/facts/receipt-dollars.ts';
import { selectionQuery, type Selection } from '../market/stream/joined-selection.ts';
import { BoardContext, factsIn, type Board as BoardData } from './state/board-context.ts';
import { currencyOf, isOwnList } from './state/board-look.ts';
import { useBoardInDollars } from './dollars/in-dollars.ts';
import { useHomePanel } from './state/use-home-panel.ts';
import { views } from './views.tsx';
import { findList } from '../market/lists/ticker-lists.ts';
import { Dialog } from '../ui/dialog.tsx';

// Few boards have bonds, or are shown in dollars.
const ConventionLine = lazy(
  async () => (await import('../market/bonds/convention-line.tsx')).ConventionLine,
);
const DollarNote = lazy(async () => (await import('./dollars/dollar-note.tsx')).DollarNote);

/** The board of one panel or list, in real time, in one of the {@link views}. */
export function BoardPage({ place }: { readonly place: BoardPlace }) {
  const key = usableKey.value;
  const source = sourceOf(place);
  const { selection } = source;
  usePageTitle(source.title);
  return (
    <div class={`board-page board-page-${place.view}`}>
      <h1 class="visually-hidden">{source.name}: cotizaciones</h1>
      {place.view !== 'mural' && <PanelTabs place={place} />}
      {place.page === 'list' && place.view !== 'mural' && <ListNotice place={place} />}
      <BoardDialogs place={place} />
      {key === undefined ? (
        <KeyNeeded />
      ) : (
        selection !== undefined && (
          <Board key={source.id} place={place} source={{ ...source, selection }} />
        )
      )}
    </div>
  );
}

interface BoardProps {
  readonly place: BoardPlace;
  readonly source: BoardSource & { readonly selection: NonNullable<BoardSource['selection']> };
}

/** What a board follows: its instruments, with the fields of its view. Undefined if there is nothing to follow. */
export function followedBy(place: BoardPlace): Selection | undefined {
  const { selection } = sourceOf(place);
  return selection && { ...selection, fields: views[place.view].fields?.(place) ?? [] };
}

function Board(props: BoardProps) {
  const { place, source } = props;
  const live = useLiveQuotes(followedBy(place));
  const isListed = live !== undefined && live.tickers.value.length > 0;
  const query = bondQuery(selectionQuery(source.selection), convention.value);
  const bonds = useBonds(isListed && needsBonds(place) ? query : undefined);
  // It is above the live board, which begins anew when the pane is opened.
  const chosen = useChosenRow(place, hasPane(place));
  // Orders and widths of one currency say nothing of another.
  const begun = useMemo(() => ({}), [live, place.currency]);
  if (live === undefined) return null;
  return <LiveBoard key={begun} {...props} live={live} bonds={bonds} chosen={chosen} />;
}

/** Whether a board shows figures of bonds, or is sorted or filtered by one. */
function needsBonds({ view }: BoardPlace): boolean {
  const shown = views[view].columns?.() ?? [];
  return [sorting.value?.field, ...filterFields(filter.value), ...shown].some(isBondField);
}

function LiveBoard({
  place,
  source: { name, order, selection },
  live: own,
  bonds,
  chosen,
}: BoardProps & Pick<BoardData, 'live' | 'bonds' | 'chosen'>) {
  useHomePanel(place, own);
  const currency = currencyOf(place);
  const live = useBoardInDollars(own, currency);
  // One stream has the fields of all. The board goes on while the filter is typed.
  const compared = requestedFields(filterFields(filter.value));
  useLiveQuotes(compared.length === 0 ? undefined : { ...selection, fields: compared });
  const { columns, Content } = views[place.view];
  const hasImplied =
    live.tickers.value.length > 0 &&
    (sorting.value?.field === 'implicito' ||
      (columns?.().includes('implicito') === true && !unfit.value.includes('implicito')));
  const dollars = useRows(hasImplied ? receiptsPath : undefined, receiptName);
  const factsOf = useMemo(() => factsIn({ dollars, bonds }), [dollars, bonds]);
  const shown = useComputed(() => {
    const wanted = parseFilter(filter.value);
    // Rows are sorted again at most once a second, so that they do not move away from the pointer.
    if (sorting.value !== undefined || wanted.conditions.length > 0) void live.moment.value;
    const members = live.tickers.value;
    const rows = sortRows(live.rows(order?.(members)), sorting.value, factsOf);
    return rows.filter((row) => matches(row, wanted, factsOf)).map(({ ticker }) => ticker);
  });
  const board = useMemo(
    () => ({ name, live, dollars, bonds, factsOf, shown, chosen }),
    [name, live, dollars, bonds],
  );
  return (
    <BoardContext.Provider value={board}>
      {place.view !== 'mural' && (
        <>
          <BoardToolbar place={place} columns={columns?.()} />
          <BrokenLine live={live} />
          {(needsBonds(place) || currency !== 'original') && (
            <div class="convention-line bar whole small">
              {currency !== 'original' && <DollarNote currency={currency} />}
              {needsBonds(place) && (
                <ConventionLine
                  convention={convention.value}
                  onChoose={(wanted) => chooseConvention(place, wanted)}
                />
              )}
            </div>
          )}
        </>
      )}
      <Content place={place} />
    </BoardContext.Provider>
  );
}

// Few visits change columns or lists.
const ColumnChoice = lazy(async () => (await import('./column-choice.tsx')).ColumnChoice);
const ListEditor = lazy(async () => (await import('./lists/list-editor.tsx')).ListEditor);

/**
 * The dialogs that change what the board requests. They are outside of the live board, which begins
 * anew with each such change.
 */
function BoardDialogs({ place }: { readonly place: BoardPlace }) {
  const list = isOwnList(place) ? findList(place.name) : undefined;
  return (
    <>
      <Dialog title="Columnas" isOpen={isColumnChoiceOpen} end="Listo">
        <ColumnChoice />
      </Dialog>
      {list !== undefined && (
        <Dialog title={`Lista «${list.name}»`} isOpen={isListEditorOpen}>
          <ListEditor list={list} onClose={() => (isListEditorOpen.value = false)} />
        </Dialog>
      )}
    </>
  );
}
