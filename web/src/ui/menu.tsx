import type { ComponentChildren } from 'preact';

/** A button with a list that opens below it. Escape, a choice and a click elsewhere close it. */
export function Menu({
  title,
  class: ownClass,
  children,
}: {
  readonly title: ComponentChildren;
  readonly class: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details
      class={`menu ${ownClass}`}
      onKeyDown={closeOnEscape}
      onFocusOut={closeOutside}
      onClick={closeOnChoice}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}

type Fired<E extends Event> = E & { readonly currentTarget: HTMLDetailsElement };

function closeOnEscape(event: Fired<KeyboardEvent>): void {
  if (event.key !== 'Escape' || !event.currentTarget.open) return;
  event.currentTarget.open = false;
  event.currentTarget.querySelector('summary')?.focus();
}

function closeOutside({ currentTarget, relatedTarget }: Fired<FocusEvent>): void {
  if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
  currentTarget.open = false;
}

function closeOnChoice({ currentTarget, target }: Fired<MouseEvent>): void {
  if (target instanceof Element && target.closest('a') !== null) currentTarget.open = false;
}
