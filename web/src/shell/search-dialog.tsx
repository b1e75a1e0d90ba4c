import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { isKeyDialogOpen, usableKey } from '../key/api-key.ts';
import { instrumentRoute } from '../places/route.ts';
import { goTo, route } from '../places/location.ts';
import { InstrumentCombobox } from '../market/search/instrument-combobox.tsx';
import { Button } from '../ui/button.tsx';
import { SearchIcon } from '../ui/icons.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { visitedTickers } from '../market/search/visits.ts';

const dialogId = 'search-dialog';

/**
 * Opens the search, and focuses its field, before it returns. So the field receives what the user
 * types right after the key that opens it. Without an access key, it asks for one.
 */
export function openSearch(): void {
  if (usableKey.value === undefined) {
    isKeyDialogOpen.value = true;
    return;
  }
  const dialog = document.getElementById(dialogId);
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return;
  dialog.showModal();
  // What is typed replaces the text of a search that was closed a moment ago.
  dialog.querySelector('input')?.select();
}

/** What is offered before anything was visited. */
const popular = {
  name: 'Especies más buscadas',
  tickers: ['GGAL', 'YPFD', 'AL30', 'GD30', 'DOLAR MEP', 'DOLAR CCL', 'MERVAL', 'BTC'],
};

/** The search of all instruments. Escape and a click beside it close it. */
export function SearchDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The number of times that the search was closed. Each opening has an empty field. */
  const closings = useSignal(0);
  const key = usableKey.value;
  const place = route.value;
  const current = place.page === 'instrument' ? place.ticker : undefined;
  const visited = visitedTickers.value.filter((ticker) => ticker !== current);
  const close = () => dialog.current?.close();
  useEffect(() => {
    if (key === undefined) close();
  }, [key]);
  return (
    <dialog
      id={dialogId}
      ref={dialog}
      class="dialog pop search-dialog"
      aria-label="Buscar una especie"
      onClose={() => {
        // The browser reports a closing later. The dialog may be open again, with a new text.
        if (dialog.current?.open === false) closings.value += 1;
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="stack gap-5">
        {key !== undefined && (
          <InstrumentCombobox
            key={closings.value}
            offered={
              visited.length > 0
                ? { name: 'Últimas especies visitadas', tickers: visited }
                : popular
            }
            onDone={close}
            onTake={({ especie }) => {
              close();
              goTo(instrumentRoute(especie));
            }}
          />
        )}
      </div>
    </dialog>
  );
}

/**
 * Opens the search. Ctrl+K or ⌘K opens it from anywhere. The slash key opens it too, unless the page
 * has a filter of its own, such as that of the board.
 */
export function SearchButton() {
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useShortcut('/', searchUnlessFilter);
  return (
    <>
      <Button
        look="bar"
        aria-label="Buscar"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Buscar una especie (Ctrl+K)"
        onClick={openSearch}
      >
        <SearchIcon />
        <span class="wide-only">Buscar</span>
      </Button>
      {/* No part of the name of the button. */}
      <kbd class="wide-only" aria-hidden="true">
        Ctrl K
      </kbd>
    </>
  );
}

function searchUnlessFilter(): void {
  const filter = document.querySelector<HTMLInputElement>('.filter input');
  // What is typed replaces a filter from before. To select it focuses the field too.
  if (filter === null) openSearch();
  else filter.select();
}

function onKey(event: KeyboardEvent): void {
  const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
  // Another dialog, such as that of the key, stays in front.
  if (!isCommand || document.querySelector('dialog[open]') !== null) return;
  event.preventDefault();
  openSearch();
}
