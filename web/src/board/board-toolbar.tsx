import type { ReadonlySignal } from '@preact/signals';

import { CurrencyChoice } from '../chart/figures/currency-choice.tsx';
import { ListButtons } from './lists/list-buttons.tsx';
import type { LiveQuotes } from '../market/live-quotes.ts';
import type { FindFacts } from '../market/sort-rows.ts';
import type { BoardPlace } from '../places/route.ts';
import { ColumnsIcon, RowsIcon, SearchIcon } from '../ui/icons.tsx';
import { goTo } from '../places/location.ts';
import { isNarrow } from '../ui/screen-size.ts';
import { ToolSheet } from '../ui/phone/sheet.tsx';
import { changeLook, currencyOf } from './state/board-look.ts';
import { isColumnChoiceOpen } from './state/board-dialog.ts';
import { filter, setFilter, instrumentPage } from './state/board-state.ts';
import { chosenFields, unfit } from './state/chosen-columns.ts';
import { columnsOf, type ColumnField } from '../market/columns.ts';
import { chooseDensity, density } from './state/density.ts';
import { ExportBoard } from './export-board.tsx';
import { MarketMarks } from './market-marks.tsx';
import { PaneButton } from './pane/pane-button.tsx';
import { PanelSummary } from './panel-summary.tsx';
import { ViewChoice, WallButton } from './view-choice.tsx';

/**
 * The toolbar, beside the tabs on a wide screen: the filter, the summary of the panel, the state of the
 * markets, and the controls. On a phone, all but the filter is in a sheet.
 */
export function BoardToolbar({
  place,
  name,
  live,
  shown,
  factsOf,
}: {
  readonly place: BoardPlace;
  readonly name: string;
  readonly live: LiveQuotes;
  readonly shown: ReadonlySignal<readonly string[]>;
  readonly factsOf: FindFacts;
}) {
  const status = (
    <div class="board-status">
      <PanelSummary live={live} />
      <MarketMarks live={live} />
    </div>
  );
  return (
    <div class="toolbar">
      <FilterField shown={shown} />
      {!isNarrow.value && status}
      <ToolSheet class="toolbar-buttons">
        {isNarrow.value && status}
        <ViewChoice place={place} />
        {place.view === 'tabla' && <PaneButton place={place} />}
        {place.view === 'tabla' && <ColumnButton />}
        {place.view === 'tabla' && <DensityButton />}
        <CurrencyChoice
          currency={currencyOf(place)}
          onChoose={(currency) => changeLook(place, { currency })}
        />
        <WallButton place={place} />
        {place.view !== 'calendario' && (
          <ExportBoard
            name={name}
            live={live}
            shown={shown}
            columns={columnsIn(place)}
            factsOf={factsOf}
          />
        )}
        <ListButtons place={place} />
      </ToolSheet>
    </div>
  );
}

/** The columns of a view, for the export. */
function columnsIn({ view }: BoardPlace): readonly ColumnField[] {
  if (view === 'tabla') return chosenFields.value;
  if (view === 'curva') {
    return ['ultimo', 'vencimiento', 'tir', 'durationModificada', 'paridad', 'hora'];
  }
  return ['ultimo', 'variacion', view === 'graficos' ? 'volumen' : 'monto', 'hora'];
}

/**
 * Filters while the user types. Escape clears it. Enter opens the first matching instrument. The
 * down arrow moves to its row or card.
 */
function FilterField({ shown }: { readonly shown: ReadonlySignal<readonly string[]> }) {
  return (
    <label class="filter">
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
        onInput={(event) => {
          setFilter(event.currentTarget.value);
        }}
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
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

function ColumnButton() {
  const left = columnsOf(unfit.value).map(({ title }) => title);
  const hint = left.length === 0 ? 'Columnas' : `Columnas. No entran: ${left.join(', ')}`;
  return (
    <button
      type="button"
      class="button button-small button-icon"
      aria-haspopup="dialog"
      title={hint}
      onClick={() => {
        isColumnChoiceOpen.value = true;
      }}
    >
      <ColumnsIcon />
      <span class="visually-hidden">{hint}</span>
      {left.length > 0 && (
        <span class="button-count" aria-hidden="true">
          +{left.length}
        </span>
      )}
    </button>
  );
}

function DensityButton() {
  const isCompact = density.value === 'compact';
  return (
    <button
      type="button"
      class="button button-small button-icon"
      aria-pressed={isCompact}
      title="Filas bajas"
      onClick={() => chooseDensity(isCompact ? 'comfortable' : 'compact')}
    >
      <RowsIcon />
      <span class="visually-hidden">Compacta</span>
    </button>
  );
}
