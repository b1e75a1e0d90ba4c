import type { ReadonlySignal, Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { LiveQuotes } from '../market/live-quotes.ts';
import { instrumentRoute } from '../route.ts';
import { ColumnsIcon, RowsIcon, SearchIcon } from '../shell/icons.tsx';
import { goTo } from '../shell/location.ts';
import { book, density } from '../shell/preferences.ts';
import { MarketMarks } from './market-marks.tsx';
import { PanelSummary } from './panel-summary.tsx';

/**
 * The toolbar above the table: the summary of the panel, the state of the markets, and the
 * controls.
 */
export function BoardToolbar({
  live,
  filter,
  shown,
}: {
  readonly live: LiveQuotes;
  readonly filter: Signal<string>;
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  return (
    <div class="toolbar">
      <FilterField filter={filter} shown={shown} />
      <PanelSummary live={live} />
      <MarketMarks live={live} />
      <span class="toolbar-buttons">
        <BookButton />
        <DensityButton />
      </span>
    </div>
  );
}

/**
 * Filters while the user types. The slash key moves to this field from anywhere on the page. Escape
 * clears it. Enter opens the first matching instrument. The down arrow moves to its row.
 */
function FilterField({
  filter,
  shown,
}: {
  readonly filter: Signal<string>;
  readonly shown: ReadonlySignal<readonly string[]>;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <label class="filter">
      <SearchIcon />
      <span class="visually-hidden">Filtrar por especie o nombre</span>
      <input
        ref={field}
        type="search"
        class="input"
        placeholder="Filtrar"
        autocomplete="off"
        spellcheck={false}
        aria-keyshortcuts="/"
        value={filter.value}
        onInput={(event) => {
          filter.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') filter.value = '';
          const [first] = shown.value;
          if (first === undefined) return;
          if (event.key === 'Enter' && filter.value.trim() !== '') goTo(instrumentRoute(first));
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            document.querySelector<HTMLElement>('.board tbody a[data-ticker]')?.focus();
          }
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

/** Shows and hides the columns of the book. The browser remembers it. */
function BookButton() {
  const isShown = book.value === 'shown';
  return (
    <button
      type="button"
      class="button button-small"
      title="Mostrar compra, venta, monto y operaciones"
      aria-pressed={isShown}
      onClick={() => {
        book.value = isShown ? 'hidden' : 'shown';
      }}
    >
      <ColumnsIcon />
      Puntas
    </button>
  );
}

function DensityButton() {
  const isCompact = density.value === 'compact';
  return (
    <button
      type="button"
      class="button button-small"
      aria-pressed={isCompact}
      onClick={() => {
        density.value = isCompact ? 'comfortable' : 'compact';
      }}
    >
      <RowsIcon />
      Compacta
    </button>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, dialog *');
}
