import { batch, computed, signal } from '@preact/signals';

import { basePath } from '../ui/base-path.ts';
import { browserStorage, put } from '../ui/browser-storage.ts';

/** How long the browser keeps a key: until the page is reloaded, until the tab is closed, or until it is forgotten. */
export type Keeping = 'page' | 'tab' | 'device';

/** The storages of a remembered key. The browser deletes that of a tab with the tab. */
const stores = { tab: browserStorage('sessionStorage'), device: browserStorage('localStorage') };
/** The entry of the key. A key must not be sent to another service of the same host. */
export const storageName = `pizarra.key ${basePath()}`;

/** The key in use. It is stored in memory, never in an address or a log. */
export const apiKey = signal<string | undefined>(readRemembered());

/** Why the key cannot be used, for people. A new key clears it. */
export const keyRefusal = signal<string | undefined>(undefined);

/**
 * Whether the key came from a printed link, and the user has not yet chosen how long to keep it.
 */
export const isLinked = signal(false);

/** Whether the dialog for the key is open. */
export const isKeyDialogOpen = signal(false);

/** The key, unless the service has refused it. */
export const usableKey = computed(() =>
  keyRefusal.value === undefined ? apiKey.value : undefined,
);

/** How long the browser keeps the key in use. */
export function keepingOf(): Keeping {
  const key = apiKey.peek();
  if (key === undefined) return 'page';
  if (stores.tab.getItem(storageName) === key) return 'tab';
  // The device may remember the key of other tabs.
  return stores.device.getItem(storageName) === key ? 'device' : 'page';
}

/** Sets the key, and keeps it for as long as the user has chosen. */
export function takeKey(key: string, keeping: Keeping): void {
  removeStored();
  if (keeping !== 'page') put(stores[keeping], storageName, key);
  setKey(key);
}

/** Uses the key of a printed link. What is remembered stays as it is until the user chooses. */
export function takeLinkedKey(key: string): void {
  setKey(key);
  isLinked.value = true;
}

function setKey(key: string): void {
  batch(() => {
    isLinked.value = false;
    keyRefusal.value = undefined;
    apiKey.value = key;
  });
}

/** Refuses a key that cannot be sent. The key in use does not change. */
export function refuseKey(reason: string): void {
  if (apiKey.value === undefined) keyRefusal.value = reason;
}

/** Notes that the service refused the key. Its own text is for programs: this one says what to do. */
export function noteRefusedKey(): void {
  batch(() => {
    isLinked.value = false;
    keyRefusal.value =
      'Puede estar incompleta, vencida o anulada. Copiarla entera, o pedir otra a quien administra el servicio.';
  });
}

/** Deletes the key from memory and storage. */
export function forgetKey(): void {
  removeStored();
  batch(() => {
    isLinked.value = false;
    keyRefusal.value = undefined;
    apiKey.value = undefined;
  });
}

/** A part of a key that identifies it for the user and is too short to use. */
export function maskKey(key: string): string {
  return key.length <= 12 ? '••••' : `${key.slice(0, 6)}••••${key.slice(-4)}`;
}

function readRemembered(): string | undefined {
  return stores.tab.getItem(storageName) ?? stores.device.getItem(storageName) ?? undefined;
}

function removeStored(): void {
  for (const store of Object.values(stores)) store.removeItem(storageName);
}
