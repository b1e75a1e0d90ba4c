import { batch, computed, signal } from '@preact/signals';

/** The entry of `sessionStorage` for a key that is to outlive a reload. It ends with the tab. */
const storageName = 'pizarra.key';

/** The key in use. It is held in memory, and never in an address or a log. */
export const apiKey = signal<string | undefined>(readRemembered());

/** Why the key was refused, in the words of the service; cleared by another key. */
export const keyRefusal = signal<string | undefined>(undefined);

/** Whether the key came with a printed link, and the user has not yet said whether to remember it. */
export const isLinked = signal(false);

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
  batch(() => {
    isLinked.value = false;
    keyRefusal.value = undefined;
    apiKey.value = key;
  });
}

/** Refuses a key that cannot be sent. A key that is in use stays in use. */
export function refuseKey(reason: string): void {
  if (apiKey.value === undefined) keyRefusal.value = reason;
}

/** Forgets the key everywhere. */
export function forgetKey(): void {
  sessionStorage.removeItem(storageName);
  batch(() => {
    isLinked.value = false;
    keyRefusal.value = undefined;
    apiKey.value = undefined;
  });
}

/** Enough of a key to tell which it is, and too little to use it. */
export function maskKey(key: string): string {
  return key.length <= 12 ? '••••' : `${key.slice(0, 6)}••••${key.slice(-4)}`;
}

function readRemembered(): string | undefined {
  return sessionStorage.getItem(storageName) ?? undefined;
}
