import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Button } from '../button.tsx';
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
      <Button aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        <ToolsIcon />
        Herramientas
      </Button>
      <Dialog title="Herramientas" kind="sheet" isOpen={isOpen}>
        <div class="sheet-tools stack gap-5">{children}</div>
      </Dialog>
    </>
  );
}
