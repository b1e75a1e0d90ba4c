import { computed, effect, signal } from '@preact/signals';

import { apiKey, keyRefusal, seenOnly, usableKey } from '../../key/api-key.ts';
import { isUnreached, wasReached } from './reach.ts';
import { clearSeen, hasSeen } from './seen-store.ts';

/** Whether the browser has rows that were seen before the page was opened. */
const hasRows = signal(false);

/**
 * The key of the views that show quotes. A page that was opened without a network and without a key shows
 * what was seen last, and requests nothing, until the service responds.
 */
export const viewerKey = computed(() => {
  if (usableKey.value !== undefined || keyRefusal.value !== undefined) return usableKey.value;
  return hasRows.value && isUnreached.value && !wasReached.value ? seenOnly : undefined;
});

/**
 * Removes what was seen when a key is removed, refused or replaced, and when the page is opened without a
 * key while the service responds: the next person at this browser sees nothing of it.
 */
export function watchSeen(): void {
  let before = apiKey.peek();
  effect(() => {
    const { value: key } = apiKey;
    const isReplaced = before !== undefined && key !== before;
    before = key;
    const isWithoutKey = key === undefined && wasReached.value;
    if (isReplaced || isWithoutKey || keyRefusal.value !== undefined) {
      hasRows.value = false;
      void clearSeen();
    }
  });
  effect(() => {
    if (isUnreached.value && !wasReached.value) void find();
  });
}

async function find(): Promise<void> {
  hasRows.value = await hasSeen();
}
