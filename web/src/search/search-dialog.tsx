import { useEffect, useRef } from 'preact/hooks';

import { usableKey } from '../key/api-key.ts';
import { KeyNeeded } from '../key/key-needed.tsx';
import { InstrumentCombobox } from './instrument-combobox.tsx';
import { isSearchOpen } from './search-instruments.ts';

/** The search of all instruments. Escape and a click beside it close it. */
export function SearchDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isSearchOpen.value;
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  const key = usableKey.value;
  return (
    <dialog
      ref={dialog}
      class="dialog search-dialog"
      aria-label="Buscar una especie"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      {isOpen && (
        <div class="search">
          {key === undefined ? (
            <div onClick={close}>
              <KeyNeeded />
            </div>
          ) : (
            <InstrumentCombobox apiKey={key} onDone={close} />
          )}
        </div>
      )}
    </dialog>
  );
}

function close(): void {
  isSearchOpen.value = false;
}
