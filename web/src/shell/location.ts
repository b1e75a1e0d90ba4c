import { computed, signal } from '@preact/signals';

import { takeLinkedKey } from '../key/take-linked-key.ts';
import { formatRoute, parseRoute } from '../route.ts';
import type { Route } from '../route.ts';

// A key in the address is taken out before the address is read as that of a page.
takeLinkedKey();
const hash = signal(location.hash);
window.addEventListener('hashchange', () => {
  takeLinkedKey();
  hash.value = location.hash;
});

/** Where someone is. */
export const route = computed(() => parseRoute(hash.value));

/** Goes to a place, as a step that the browser can take back. */
export function goTo(place: Route): void {
  location.hash = formatRoute(place);
}

/** Goes to a place that is the same one seen differently, which is no step of its own. */
export function replaceRoute(place: Route): void {
  const address = formatRoute(place);
  history.replaceState(null, '', address);
  hash.value = address;
}
