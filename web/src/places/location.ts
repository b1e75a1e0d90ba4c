import { computed, signal } from '@preact/signals';

import { takeLinkedKey } from '../key/take-linked-key.ts';
import { formatRoute, parseRoute } from './route.ts';
import type { Route } from './route.ts';
import { homePanel } from './home-panel.ts';

// A key in the address is removed before the address is parsed as a route.
takeLinkedKey();
const hash = signal(location.hash);
window.addEventListener('hashchange', () => {
  takeLinkedKey();
  hash.value = location.hash;
});

/** The current route. */
export const route = computed((): Route => {
  const parsed = parseRoute(hash.value);
  return 'isHome' in parsed ? { ...parsed, panel: homePanel.value } : parsed;
});

/** Goes to a route and adds an entry to the history. */
export function goTo(place: Route): void {
  location.hash = formatRoute(place);
}

/**
 * Replaces the current route without an entry in the history, for another view of the same page.
 */
export function replaceRoute(place: Route): void {
  const address = formatRoute(place);
  history.replaceState(null, '', address);
  hash.value = address;
}
