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

/** What a part of the reference has: its address, and its name. */
interface Named {
  readonly anchor: string;
  /** The name within a text. */
  readonly name: string;
  /** What the part is shown as. The name, unless it is given. */
  readonly title?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A section of the reference, whose heading has an address. */
export function Section({ anchor, name, children }: Named) {
  return (
    <section class="ref-group stack gap-6" aria-label={name}>
      <h2 id={idOf(anchor)} tabIndex={-1}>
        {name} <OwnLink anchor={anchor} of={name} />
      </h2>
      {children}
    </section>
  );
}

/** A card of the reference, which has an address. */
export function Card({ anchor, name, title = name, children }: Named) {
  return (
    <div id={idOf(anchor)} tabIndex={-1} class="panel card ref-entry stack gap-6">
      <h3>
        {title} <OwnLink anchor={anchor} of={name} />
      </h3>
      {children}
    </div>
  );
}

/** A name of a list of definitions with its meaning, which have an address. */
export function Definition({
  anchor,
  name,
  title = <span class="mono">{name}</span>,
  children,
}: Named) {
  return (
    <div id={idOf(anchor)} tabIndex={-1}>
      <dt>
        {title} <OwnLink anchor={anchor} of={name} />
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A link of a part to itself, whose address can be shared. */
function OwnLink({ anchor, of }: { readonly anchor: string; readonly of: string }) {
  return (
    <AnchorLink anchor={anchor} class="own-link screen-only" label={`Enlace a ${of}`}>
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
