import type { ComponentChildren } from 'preact';

import { Button } from './button.tsx';
import { CloseIcon } from './icons.tsx';

/** An entry in a colour, with buttons: the last one removes it. */
export function Chip({
  color = 'var(--mark)',
  text,
  removal,
  onRemove,
  children,
}: {
  readonly color?: string;
  readonly text: string;
  /** What the button that removes it is called. */
  readonly removal: string;
  readonly onRemove: () => void;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}) {
  return (
    <span class="chip" style={{ color }}>
      {text}
      {children}
      <Button look="icon" aria-label={removal} title="Quitar" onClick={onRemove}>
        <CloseIcon />
      </Button>
    </span>
  );
}
