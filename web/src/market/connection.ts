import { computed, effect, signal } from '@preact/signals';

import type { StreamState } from './api/quote-stream.ts';

/** The connection of the quotes on screen. Undefined while no quotes are followed. */
export const connection = signal<StreamState | undefined>(undefined);

/** Whether the page is connecting to the stream, or has not begun to. */
export const isConnecting = computed(
  () => (connection.value?.kind ?? 'connecting') === 'connecting',
);

/**
 * When the service was last heard, in milliseconds since 1970, while it is silent: the quotes on screen
 * may not be current. Undefined while it is heard, and before it was heard for the first time.
 */
export const silentSince = computed(() => {
  const { value } = connection;
  return value === undefined || value.kind === 'live' ? undefined : value.heardAt;
});

/**
 * Whether the service cannot be reached, so that what is not loaded does not come. An attempt to connect changes
 * nothing of that.
 */
export const isLost = signal(false);

effect(() => {
  const kind = connection.value?.kind;
  if (kind !== 'connecting') isLost.value = kind === 'waiting';
});

/** Calls a function whenever the quotes are live again after a break. Returns what ends it. */
export function onRestored(run: () => void): () => void {
  let wasLost = false;
  return effect(() => {
    const kind = connection.value?.kind;
    if (kind === 'waiting') wasLost = true;
    if (kind !== 'live' || !wasLost) return;
    wasLost = false;
    run();
  });
}
