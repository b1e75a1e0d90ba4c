import { useComputed, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { lazy } from '../ui/lazy.tsx';
import type { SessionPaths } from '../market/paths/session-paths.ts';
import { useSessionPaths } from '../market/paths/use-session-paths.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { ListNotice } from './lists/list-notice.tsx';
import { usableKey } from '../key/api-key.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';
import { usePageTitle } from '../ui/use-page-title.ts';
import { BoardDialogs } from './board-dialogs.tsx';
import { BoardTable } from './table/board-table.tsx';
import { BoardToolbar } from './board-toolbar.tsx';
import { sourceOf, type BoardSource } from './state/board-source.ts';
import type { BoardPlace } from '../places/route.ts';
import { BrokenLine } from '../market/broken-line.tsx';
import { chosenFields, unfit } from './state/chosen-columns.ts';
import { requestedFields } from '../market/columns.ts';
import { detailFields } from '../market/detail-fields.ts';
import { filterFields, matches, parseFilter } from './row-filter.ts';
import { PaneDivider } from './pane/pane-divider.tsx';
import { hasPane, paneWidth } from './pane/pane-layout.ts';
import { useChosenRow } from './pane/use-chosen-row.ts';
import { PanelTabs } from './panel-tabs.tsx';
import { sortRows } from '../market/sort-rows.ts';
import { convention, filter, sorting } from './state/board-state.ts';
import { bondQuery } from '../market/facts/conventions.ts';
import { chooseConvention } from '../places/bond-convention.ts';
import { isBondField } from '../market/facts/bond-columns.ts';
import { useBonds, type Bonds } from '../market/bonds/use-bonds.ts';
import { receiptName, receiptsPath } from '../market/facts/receipt-dollars.ts';
import { useRows } from '../market/rows/use-rows.ts';
import { selectionQuery } from '../market/stream/joined-selection.ts';
import { factsIn } from './state/side-facts.ts';
import type { RequestedField } from '../market/api/quote.ts';
import { shownUnit } from '../chart/figures/conversion.ts';
import { currencyOf } from './state/board-look.ts';
import { useBoardInDollars } from './dollars/use-board-in-dollars.ts';
import { useHomePanel } from './state/use-home-panel.ts';

// Few boards are opened as charts, as a map, as rankings, as a calendar or on a wall.
const ChartGrid = lazy(async () => (await import('./charts/chart-grid.tsx')).ChartGrid);
const HeatMap = lazy(async () => (await import('./heatmap/heat-map.tsx')).HeatMap);
// Few boards have bonds.
const CurveView = lazy(async () => (await import('./curve/curve-view.tsx')).CurveView);
const ConventionLine = lazy(
  async () => (await import('../market/bonds/convention-line.tsx')).ConventionLine,
);
const DollarNote = lazy(async () => (await import('./dollars/dollar-note.tsx')).DollarNote);
// The pane is part of boards on wide screens alone.
const InstrumentPane = lazy(
  async () => (await import('./pane/instrument-pane.tsx')).InstrumentPane,
);
const CalendarView = lazy(async () => (await import('./calendar/calendar-view.tsx')).CalendarView);
const RankingView = lazy(async () => (await import('./ranking/ranking-view.tsx')).RankingView);
const WallBoard = lazy(async () => (await import('./wall/wall-board.tsx')).WallBoard);

/** The board of one panel or list, in real time: as a table, as charts, as a map, as rankings, as a curve, as a calendar or on a wall. */
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
          <Board key={source.id} place={place} source={{ ...source, selection }} apiKey={key} />
        )
      )}
    </div>
  );
}

interface BoardProps {
  readonly place: BoardPlace;
  readonly source: BoardSource & { readonly selection: NonNullable<BoardSource['selection']> };
  readonly apiKey: string;
}

function Board(props: BoardProps) {
  const { place, source, apiKey } = props;
  const live = useLiveQuotes({ ...source.selection, fields: fieldsFor(place) }, apiKey);
  const paths = useSessionPaths(source.selection, live, apiKey);
  const hasBonds = needsBonds(place) && live !== undefined && live.tickers.value.length > 0;
  const query = bondQuery(selectionQuery(source.selection), convention.value);
  const bonds = useBonds(hasBonds ? query : undefined, apiKey);
  // It is above the live board, which begins anew when the pane is opened.
  const chosen = useChosenRow(place, hasPane(place));
  // Orders and widths of one currency say nothing of another.
  const begun = useMemo(() => ({}), [live, place.currency]);
  if (live === undefined) return null;
  return (
    <LiveBoard key={begun} {...props} live={live} paths={paths} bonds={bonds} chosen={chosen} />
  );
}

/** Whether a board shows figures of bonds, or is sorted by one. */
function needsBonds({ view }: BoardPlace): boolean {
  if (isBondField(sorting.value?.field)) return true;
  if (filterFields(filter.value).some(isBondField)) return true;
  return view === 'curva' || (view === 'tabla' && chosenFields.value.some(isBondField));
}

/** The fields that a view requests in addition. */
function fieldsFor(place: BoardPlace): readonly RequestedField[] {
  if (place.view === 'mapa' || place.view === 'ranking') return ['monto'];
  if (place.view !== 'tabla') return [];
  const fields = requestedFields(chosenFields.value);
  return hasPane(place) ? [...new Set([...fields, ...detailFields])].toSorted() : fields;
}

function LiveBoard({
  place,
  source: { name, order, selection },
  apiKey,
  live: own,
  paths: ownPaths,
  bonds,
  chosen,
}: BoardProps & {
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
  readonly bonds: Bonds;
  /** The ticker of the chosen row. */
  readonly chosen: Signal<string | undefined>;
}) {
  useHomePanel(place, own, apiKey);
  const currency = currencyOf(place);
  const { live, paths } = useBoardInDollars({ live: own, paths: ownPaths }, currency, apiKey);
  // One stream has the fields of all. The board goes on while the filter is typed.
  const compared = requestedFields(filterFields(filter.value));
  useLiveQuotes(compared.length === 0 ? undefined : { ...selection, fields: compared }, apiKey);
  const hasImplied =
    live.tickers.value.length > 0 &&
    (sorting.value?.field === 'implicito' ||
      (place.view === 'tabla' &&
        chosenFields.value.includes('implicito') &&
        !unfit.value.includes('implicito')));
  const dollars = useRows(hasImplied ? receiptsPath : undefined, apiKey, receiptName);
  const sideFacts = useMemo(() => ({ dollars, bonds }), [dollars, bonds]);
  const factsOf = (ticker: string) => factsIn(sideFacts, ticker);
  /** The tickers on the board, in order. */
  const shown = useComputed(() => {
    const wanted = parseFilter(filter.value);
    // Rows are sorted again at most once a second, so that they do not move away from the pointer.
    if (sorting.value !== undefined || wanted.conditions.length > 0) void live.moment.value;
    const members = live.tickers.value;
    const rows = sortRows(live.rows(order?.(members)), sorting.value, factsOf);
    return rows.filter((row) => matches(row, wanted, factsOf)).map(({ ticker }) => ticker);
  });
  const isPaneOpen = hasPane(place);
  /** The instrument in the pane. A filter may hide its row. */
  const beside = useComputed(() => {
    const { value } = chosen;
    const isMember = value !== undefined && live.tickers.value.includes(value);
    return isMember ? value : shown.value[0];
  });
  if (place.view === 'mural') {
    return (
      <WallBoard
        place={place}
        name={
          currency === 'original' ? name : `${name} en ${shownUnit({ moneda: 'ARS' }, currency)}`
        }
        live={live}
        paths={paths}
        shown={shown}
      />
    );
  }
  return (
    <>
      <BoardToolbar place={place} name={name} live={live} shown={shown} factsOf={factsOf} />
      <BrokenLine live={live} />
      {(needsBonds(place) || currency !== 'original') && (
        <div class="convention-line">
          {currency !== 'original' && <DollarNote currency={currency} live={live} />}
          {needsBonds(place) && (
            <ConventionLine
              convention={convention.value}
              onChoose={(wanted) => chooseConvention(place, wanted)}
            />
          )}
        </div>
      )}
      {place.view === 'graficos' ? (
        <ChartGrid place={place} apiKey={apiKey} live={live} paths={paths} shown={shown} />
      ) : place.view === 'mapa' ? (
        <HeatMap live={live} paths={paths} shown={shown} />
      ) : place.view === 'ranking' ? (
        <RankingView live={live} paths={paths} shown={shown} />
      ) : place.view === 'calendario' ? (
        <CalendarView name={name} live={live} shown={shown} apiKey={apiKey} />
      ) : place.view === 'curva' ? (
        <CurveView place={place} apiKey={apiKey} live={live} bonds={bonds} shown={shown} />
      ) : (
        <div class="board-split" style={{ '--pane': `${paneWidth.value}px` }}>
          <BoardTable
            place={place}
            live={live}
            paths={paths}
            sideFacts={sideFacts}
            shown={shown}
            chosen={chosen}
            beside={isPaneOpen ? beside : undefined}
          />
          {isPaneOpen && <PaneDivider />}
          {isPaneOpen && (
            <div class="pane-frame">
              <InstrumentPane place={place} apiKey={apiKey} live={live} ticker={beside} />
            </div>
          )}
        </div>
      )}
    </>
  );
}
