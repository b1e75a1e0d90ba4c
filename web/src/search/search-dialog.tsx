import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { InstrumentCombobox } from './instrument-combobox.tsx';

const dialogId = 'search-dialog';

/**
 * Opens the search, and focuses its field, before it returns. So the field receives what the user
 * types right after the key that opens it.
 */
export function openSearch(): void {
  const dialog = document.getElementById(dialogId);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** The search of all instruments. Escape and a click beside it close it. */
export function SearchDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The number of times that the search was closed. Each opening has an empty field. */
  const closings = useSignal(0);
  const key = usableKey.value;
  const close = () => dialog.current?.close();
  return (
    <dialog
      id={dialogId}
      ref={dialog}
      class="dialog search-dialog"
      aria-label="Buscar una especie"
      onClose={() => {
        closings.value += 1;
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="search">
        {key === undefined ? (
          <div onClick={close}>
            <KeyNeeded />
          </div>
        ) : (
          <InstrumentCombobox key={closings.value} apiKey={key} onDone={close} />
        )}
      </div>
    </dialog>
  );
}
