import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Dialog } from './dialog.tsx';

/** A dialog with a text to read. It begins at its title, and has a button at its end that closes it. */
export function HelpDialog({
  title,
  isOpen,
  children,
}: {
  readonly title: string;
  readonly isOpen: Signal<boolean>;
  readonly children: ComponentChildren;
}) {
  const close = () => {
    isOpen.value = false;
  };
  return (
    <Dialog title={title} isOpen={isOpen.value} beginsAtTitle onClose={close}>
      {children}
      <div class="dialog-actions">
        <button type="button" class="button button-primary" onClick={close}>
          Cerrar
        </button>
      </div>
    </Dialog>
  );
}
