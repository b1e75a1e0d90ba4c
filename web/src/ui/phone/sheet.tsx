import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Dialog } from '../dialog.tsx';
import { ToolsIcon } from '../icons.tsx';
import { isNarrow } from '../screen-size.ts';

/**
 * Tools that are in place on a screen with room, and in a sheet on a phone, where a button opens it.
 */
export function ToolSheet({
  class: name,
  children,
}: {
  /** The class of the box of the tools. */
  readonly class: string;
  readonly children: ComponentChildren;
}) {
  const isOpen = useSignal(false);
  if (!isNarrow.value) return <div class={name}>{children}</div>;
  return (
    <>
      <button
        type="button"
        class="button sheet-button"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <ToolsIcon />
        Herramientas
      </button>
      <Dialog
        title="Herramientas"
        kind="sheet"
        isOpen={isOpen.value}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <div class="sheet-tools">{children}</div>
        <SheetEnd onClose={() => (isOpen.value = false)} />
      </Dialog>
    </>
  );
}

/** The button that closes a sheet. */
export function SheetEnd({ onClose }: { readonly onClose: () => void }) {
  return (
    <button type="button" class="button" onClick={onClose}>
      Cerrar
    </button>
  );
}
