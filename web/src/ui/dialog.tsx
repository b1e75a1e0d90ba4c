import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from './button.tsx';

/**
 * A modal dialog with a title. Escape, a click beside it and the browser's own ways close it. Its
 * content exists only while it is open, so each opening starts anew.
 */
export function Dialog({
  title,
  kind = 'window',
  isOpen,
  beginsAtTitle = false,
  end,
  children,
}: {
  readonly title: string;
  /** A sheet is at the bottom of the screen, where a thumb reaches it, with a button that closes it. */
  readonly kind?: 'window' | 'sheet';
  readonly isOpen: Signal<boolean>;
  /**
   * Whether the title has the focus first, and is in view. Otherwise the browser takes the first control, which is
   * at the end of a text.
   */
  readonly beginsAtTitle?: boolean;
  /** The text of the button at the end of a window that closes it. Absent if the content has one. */
  readonly end?: string;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => {
    isOpen.value = false;
  };
  useEffect(() => {
    if (isOpen.value && dialog.current?.open === false) {
      dialog.current.showModal();
      if (beginsAtTitle) {
        heading.current?.focus({ preventScroll: true });
        dialog.current.scrollTop = 0;
      }
    }
    if (!isOpen.value) dialog.current?.close();
  }, [isOpen.value, beginsAtTitle]);
  return (
    <dialog
      ref={dialog}
      class={kind === 'sheet' ? 'dialog pop sheet' : 'dialog pop'}
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      {isOpen.value && (
        <div class="stack gap-6">
          <h2 ref={heading} {...(beginsAtTitle ? { tabIndex: -1 } : {})}>
            {title}
          </h2>
          {children}
          {kind === 'sheet' && <Button onClick={close}>Cerrar</Button>}
          {end !== undefined && (
            <div class="dialog-actions row">
              <Button look="primary" onClick={close}>
                {end}
              </Button>
            </div>
          )}
        </div>
      )}
    </dialog>
  );
}
