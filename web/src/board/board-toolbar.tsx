import type { ComponentChildren, FunctionComponent } from 'preact';

import { CurrencyChoice } from '../chart/figures/currency-choice.tsx';
import { columnsOf, type ColumnField } from '../market/columns.ts';
import { goTo } from '../places/location.ts';
import { viewCodes, formatRoute, type BoardPlace } from '../places/route.ts';
import { Button } from '../ui/button.tsx';
import { ColumnsIcon, RowsIcon, SearchIcon, SplitIcon, WallIcon, EditIcon } from '../ui/icons.tsx';
import { ToolSheet } from '../ui/phone/sheet.tsx';
import { isNarrow } from '../ui/screen-size.ts';
import { Select } from '../ui/select.tsx';
import { canHavePane, hasPane, setPane } from './pane/pane-layout.ts';
import { MarketMarks, PanelSummary } from './panel-summary.tsx';
import {
  isColumnChoiceOpen,
  isListEditorOpen,
  filter,
  instrumentPage,
  setFilter,
  convention,
  currency,
  chooseDensity,
  density,
} from './state/board-state.ts';
import { changeLook, currencyOf, onWall, isOwnList, lookOf } from './state/board-look.ts';
import { unfit } from './state/chosen-columns.ts';
import { useBoard } from './state/board-context.ts';
import { views } from './views.tsx';
import { enterFullScreen } from './wall/full-screen.ts';
import { ExportButton } from '../ui/export-dialog.tsx';
import { exportTable } from './export-rows.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { findList, type TickerList } from '../market/lists/ticker-lists.ts';

/**
 * The toolbar, beside the tabs on a wide screen: the filter, the summary of the panel, the state of the
 * markets, and the controls. On a phone, all but the filter is in a sheet.
 */
export function BoardToolbar({
  place,
  columns,
}: {
  readonly place: BoardPlace;
  /** The columns of the export. Undefined for a view with an export of its own. */
  readonly columns: readonly ColumnField[] | undefined;
}) {
  const status = (
    <div class="board-status bar small">
      <PanelSummary />
      <MarketMarks />
    </div>
  );
  return (
    <div class="toolbar screen-only bar between">
      <FilterField />
      {!isNarrow.value && status}
      <ToolSheet class="toolbar-buttons row gap-3">
        {isNarrow.value && status}
        <Select
          aria-label="Vista"
          choices={viewCodes.flatMap((value) => {
            const { name, isFor } = views[value];
            return (isFor?.(place) ?? true) ? [{ value, name }] : [];
          })}
          chosen={place.view}
          onChoose={(code) => changeLook(place, { view: code })}
        />
        {place.view === 'tabla' && <TableButtons place={place} />}
        <CurrencyChoice
          currency={currencyOf(place)}
          onChoose={(wanted) => changeLook(place, { currency: wanted })}
        />
        <ToolButton
          icon={WallIcon}
          name="Mural"
          title="Mural: toda la pantalla"
          onClick={() => {
            enterFullScreen();
            goTo(onWall(place));
          }}
        />
        {columns !== undefined && <ExportBoard columns={columns} />}
        <ListButtons place={place} />
      </ToolSheet>
    </div>
  );
}

/** A button with an icon alone on the screen. */
function ToolButton({
  icon: Icon,
  name,
  title,
  children,
  ...rest
}: {
  readonly icon: FunctionComponent;
  /** Its name for screen readers. */
  readonly name: string;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly onClick: () => void;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-haspopup'?: 'dialog';
}) {
  return (
    <Button look="small" title={title} {...rest}>
      <Icon />
      <span class="visually-hidden">{name}</span>
      {children}
    </Button>
  );
}

/** What is beside the table on screens with room for it, its columns, and the height of its rows. */
function TableButtons({ place }: { readonly place: BoardPlace }) {
  const left = columnsOf(unfit.value).map(({ title }) => title);
  const columns = left.length === 0 ? 'Columnas' : `Columnas. No entran: ${left.join(', ')}`;
  const isPaneOpen = hasPane(place);
  const isCompact = density.value === 'compact';
  return (
    <>
      {canHavePane.value && (
        <ToolButton
          icon={SplitIcon}
          name="Ficha"
          title="Gráfico y puntas de la fila elegida, al lado de la tabla"
          aria-pressed={isPaneOpen}
          onClick={() => setPane(!isPaneOpen)}
        />
      )}
      <ToolButton
        icon={ColumnsIcon}
        name={columns}
        title={columns}
        aria-haspopup="dialog"
        onClick={() => (isColumnChoiceOpen.value = true)}
      >
        {left.length > 0 && (
          <span class="strong" aria-hidden="true">
            +{left.length}
          </span>
        )}
      </ToolButton>
      <ToolButton
        icon={RowsIcon}
        name="Compacta"
        title="Filas bajas"
        aria-pressed={isCompact}
        onClick={() => chooseDensity(isCompact ? 'comfortable' : 'compact')}
      />
    </>
  );
}

/**
 * Filters while the user types. Escape clears it. Enter opens the first matching instrument. The
 * down arrow moves to its row or card.
 */
function FilterField() {
  const { shown } = useBoard();
  return (
    <label class="filter search-field row">
      <SearchIcon />
      <span class="visually-hidden">Filtrar por especie o nombre</span>
      <input
        type="search"
        class="input"
        placeholder="Filtrar"
        title="Especie o nombre, o una columna: variación &gt; 2, monto &gt; 20 M, TIR entre 5 y 8"
        autocomplete="off"
        spellcheck={false}
        aria-keyshortcuts="/"
        value={filter.value}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          // The key that leads here is no text of a filter that begins.
          if (event.key === '/' && filter.value === '') event.preventDefault();
          if (event.key === 'Escape') setFilter('');
          const [first] = shown.value;
          if (first === undefined) return;
          if (event.key === 'Enter' && filter.value.trim() !== '') goTo(instrumentPage(first));
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            document.querySelector<HTMLElement>('.board-page a[data-ticker]')?.focus();
          }
        }}
      />
      <kbd class="wide-only muted" aria-hidden="true">
        /
      </kbd>
    </label>
  );
}

/** Exports what the board shows. */
function ExportBoard({ columns }: { readonly columns: readonly ColumnField[] }) {
  const { name, live, shown, factsOf } = useBoard();
  const { length } = shown.value;
  return (
    <ExportButton
      title="Exportar"
      name={name}
      hint={`Se exportan las ${length} filas que se ven, en su orden y con las columnas elegidas. ${currency.value === 'original' ? 'Los números no se redondean.' : 'Los precios en dólares están redondeados.'}`}
      isEmpty={length === 0}
      tableOf={() =>
        exportTable(live.rows(shown.value), columns, {
          factsOf,
          convention: convention.peek(),
          dollar: live.source?.dollar,
        })
      }
    >
      <span class="visually-hidden">Exportar</span>
    </ExportButton>
  );
}

/** The controls of a list of this browser: edit and share. A panel has none. */
function ListButtons({ place }: { readonly place: BoardPlace }) {
  const list = isOwnList(place) ? findList(place.name) : undefined;
  if (list === undefined) return null;
  return (
    <>
      <ToolButton
        icon={EditIcon}
        name="Editar lista"
        title="Editar lista"
        aria-haspopup="dialog"
        onClick={() => (isListEditorOpen.value = true)}
      />
      <CopyButton label="Copiar enlace" isIcon text={() => sharedLink(list, place)} />
    </>
  );
}

/** The address of a list with its tickers, its view and its range, which any browser with a key can open. It has no key. */
function sharedLink({ name, tickers }: TickerList, place: BoardPlace): string {
  const fragment = formatRoute({ page: 'list', name, tickers, ...lookOf(place) });
  return new URL(fragment, location.href).href;
}
