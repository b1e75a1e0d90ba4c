import type { ComponentChildren } from 'preact';

import type { Route } from '../places/route.ts';

/** The addresses of the pages that the navigation leads to. */
const addresses = { board: '#/', dollars: '#/dolares', alerts: '#/alertas', api: '#/api' } as const;

/** A link of the navigation. It is marked on its own page; a list is a page of the board. */
export function PageLink({
  to,
  page,
  class: name,
  onClick,
  children,
}: {
  readonly to: keyof typeof addresses;
  /** The page that is shown. */
  readonly page: Route['page'];
  readonly class?: string;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}) {
  const isCurrent = to === (page === 'list' ? 'board' : page);
  return (
    <a
      class={name}
      href={addresses[to]}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onClick}
    >
      {children}
    </a>
  );
}
