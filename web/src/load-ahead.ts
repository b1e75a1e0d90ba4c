import { loadPage } from './pages.tsx';
import { route } from './places/location.ts';
import { parseRoute } from './places/route.ts';

/**
 * Loads the code of a page before it is needed: that of the current address before the first rendering, and
 * that of a link when the pointer or the focus comes to it. Pages that nobody opens cost nothing.
 */
export function loadPagesAhead(): void {
  loadPage(route.peek());
  for (const kind of ['pointerover', 'pointerdown', 'focusin']) {
    document.addEventListener(kind, loadLinked, { passive: true });
  }
}

function loadLinked({ target }: Event): void {
  if (!(target instanceof Element)) return;
  // A row of the board opens the instrument of its link.
  const link = target.closest('a') ?? target.closest('tr')?.querySelector('a');
  const address = link?.getAttribute('href');
  if (address?.startsWith('#/') === true) loadPage(parseRoute(address));
}
