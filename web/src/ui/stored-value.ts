import { effect, signal, type Signal } from '@preact/signals';

import { browserStorage, put, type Store } from './browser-storage.ts';

/** Whether the browser refused to store a value, for example because its storage is full. */
export const isStorageRefused = signal(false);

/** How a stored value is read. */
export interface StoredForm<T> {
  /** The entry of the storage. */
  readonly name: string;
  readonly initial: T;
  /** Checks a parsed value. Returns undefined if it is not valid. */
  readonly read: (value: unknown) => T | undefined;
}

/** A value that the browser stores. */
export type StoredValue<T> = Signal<T> & {
  /**
   * Reads the entry of the storage now. The browser reports a change of another tab a moment after it;
   * what must not happen in two tabs cannot wait for that.
   */
  readonly readAgain: () => void;
};

/**
 * A value that the browser stores as JSON, for all tabs of this site. A change in another tab
 * changes it here.
 *
 * A text that is not valid is replaced by the initial value, but not lost: it is copied to the entry
 * `NAME.invalid` first.
 */
export function storedValue<T>(
  form: StoredForm<T>,
  store: Pick<Store, 'getItem' | 'setItem'> = browserStorage('localStorage'),
  // Unit tests have no window.
  tabs: EventTarget = globalThis.window ?? new EventTarget(),
): StoredValue<T> {
  let text = store.getItem(form.name);
  /** Whether the entry has the value: the storage may have refused it. */
  let isStored = true;
  const value = signal(parse(form, text, store));
  text ??= JSON.stringify(value.value);
  const readAgain = () => {
    const next = store.getItem(form.name);
    if (!isStored || next === null || next === text) return;
    text = next;
    value.value = parse(form, text, store);
  };
  tabs.addEventListener('storage', (event) => {
    if ((event as StorageEvent).key !== form.name) return;
    text = store.getItem(form.name);
    value.value = parse(form, text, store);
  });
  effect(() => {
    const next = JSON.stringify(value.value);
    if (next === text) return;
    text = next;
    isStored = put(store, form.name, next);
    isStorageRefused.value = !isStored;
  });
  return Object.assign(value, { readAgain });
}

function parse<T>(
  { name, initial, read }: StoredForm<T>,
  text: string | null,
  store: Pick<Store, 'setItem'>,
): T {
  if (text === null) return initial;
  const value = readJson(text, read);
  if (value !== undefined) return value;
  put(store, `${name}.invalid`, text);
  return initial;
}

function readJson<T>(text: string, read: (value: unknown) => T | undefined): T | undefined {
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}
