import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A modal dialog with a title. Escape, a click beside it and the browser's own ways close it. Its
 * content exists only while it is open, so each opening starts anew.
 */
export function Dialog({
  title,
  kind = 'window',
  isOpen,
  beginsAtTitle = false,
  onClose,
  children,
}: {
  readonly title: string;
  /** A sheet is at the bottom of the screen, where a thumb reaches it. */
  readonly kind?: 'window' | 'sheet';
  readonly isOpen: boolean;
  /**
   * Whether the title has the focus first, and is in view. Otherwise the browser takes the first control, which is
   * at the end of a text.
   */
  readonly beginsAtTitle?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) {
      dialog.current.showModal();
      if (beginsAtTitle) {
        heading.current?.focus({ preventScroll: true });
        dialog.current.scrollTop = 0;
      }
    }
    if (!isOpen) dialog.current?.close();
  }, [isOpen, beginsAtTitle]);
  return (
    <dialog
      ref={dialog}
      class={kind === 'sheet' ? 'dialog sheet' : 'dialog'}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {isOpen && (
        <div class="dialog-content">
          <h2 ref={heading} {...(beginsAtTitle ? { tabIndex: -1 } : {})}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
