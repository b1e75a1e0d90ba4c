import { computed, signal } from '@preact/signals';

import { formatRoute, parseRoute } from '../route.ts';
import type { Route } from '../route.ts';

const hash = signal(location.hash);
window.addEventListener('hashchange', () => {
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
