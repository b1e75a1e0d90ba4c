import { signal } from '@preact/signals';

import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useShortcut } from '../ui/shortcuts.ts';

const Keys = lazy(async () => (await import('./keys.tsx')).Keys);

const isOpen = signal(false);

/** A button that opens the list of keys. So does the key `?`. */
export function KeysButton() {
  return (
    <Button
      look="bar"
      class="wide-only"
      aria-label="Teclas"
      aria-haspopup="dialog"
      title="Teclas (?)"
      onClick={openKeys}
    >
      <span aria-hidden="true">?</span>
    </Button>
  );
}

/** The list of keys, and the choice to disable those of a single character. */
export function KeysDialog() {
  useShortcut('?', openKeys);
  return (
    <Dialog title="Teclas" isOpen={isOpen} beginsAtTitle end="Cerrar">
      <Keys />
    </Dialog>
  );
}

/** Opens the list of keys. */
export function openKeys(): void {
  isOpen.value = true;
}
