import type { ComponentChildren } from 'preact';

import { formatRoute } from '../places/route.ts';

/** A link to a part of the reference. It also scrolls if its address is already the current one. */
export function AnchorLink({
  anchor,
  label,
  class: name,
  children,
}: {
  readonly anchor: string;
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <a
      href={formatRoute({ page: 'api', anchor, values: {} })}
      class={name}
      aria-label={label}
      onClick={() => showAnchor(anchor)}
    >
      {children}
    </a>
  );
}

/** A link of a heading to itself, whose address can be shared. */
export function OwnLink({ anchor, of }: { readonly anchor: string; readonly of: string }) {
  return (
    <AnchorLink anchor={anchor} class="own-link" label={`Enlace a ${of}`}>
      #
    </AnchorLink>
  );
}

/** The id of the element of an anchor. */
export function idOf(anchor: string): string {
  return `ref-${anchor}`;
}

/** Scrolls to a part and moves the focus there, so that the keyboard and a screen reader continue there. */
export function showAnchor(anchor: string): void {
  const part = document.getElementById(idOf(anchor));
  part?.scrollIntoView({ block: 'start' });
  part?.focus({ preventScroll: true });
}
