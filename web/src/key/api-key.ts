import { computed, signal } from '@preact/signals';

/** Where a key is kept that is to outlive a reload; the browser forgets it with the tab. */
const storageName = 'pizarra.key';

/** The key that opens the service: in memory for the tab, and in no address and no log. */
export const apiKey = signal<string | undefined>(readRemembered());

/** What the service said when it refused the key; cleared by another key. */
export const keyRefusal = signal<string | undefined>(undefined);

/** Whether the dialog for the key is open. */
export const isKeyDialogOpen = signal(false);

/** The key that may be used: one that the service has not refused. */
export const usableKey = computed(() =>
  keyRefusal.value === undefined ? apiKey.value : undefined,
);

/** Whether the key outlives a reload. */
export function isRemembered(): boolean {
  return readRemembered() !== undefined;
}

/** Takes a key, and remembers it until the tab is closed only when that was asked for. */
export function takeKey(key: string, { isToBeRemembered }: { isToBeRemembered: boolean }): void {
  sessionStorage.removeItem(storageName);
  if (isToBeRemembered) sessionStorage.setItem(storageName, key);
  keyRefusal.value = undefined;
  apiKey.value = key;
}

/** Forgets the key everywhere. */
export function forgetKey(): void {
  sessionStorage.removeItem(storageName);
  keyRefusal.value = undefined;
  apiKey.value = undefined;
}

/** Enough of a key to tell which it is, and too little to use it. */
export function maskKey(key: string): string {
  return key.length <= 12 ? '••••' : `${key.slice(0, 6)}••••${key.slice(-4)}`;
}

function readRemembered(): string | undefined {
  return sessionStorage.getItem(storageName) ?? undefined;
}
