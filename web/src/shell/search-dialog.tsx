import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { isKeyDialogOpen, usableKey } from '../key/api-key.ts';
import { instrumentRoute } from '../places/route.ts';
import { goTo, route } from '../places/location.ts';
import { InstrumentCombobox } from '../market/search/instrument-combobox.tsx';
import { visitedTickers } from '../market/search/visited-tickers.ts';

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
      class="dialog search-dialog"
      aria-label="Buscar una especie"
      onClose={() => {
        // The browser reports a closing later. The dialog may be open again, with a new text.
        if (dialog.current?.open === false) closings.value += 1;
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="search">
        {key !== undefined && (
          <InstrumentCombobox
            key={closings.value}
            apiKey={key}
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
