/** The part of a storage of the browser that the page uses. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Stands in for a storage that the user or a policy has disabled. */
const disabled: Store = {
  getItem: () => null,
  setItem: () => {
    throw new Error('the storage is disabled');
  },
  removeItem: () => {},
};

/** A storage of the browser. Where it is disabled, the browser throws at each access to it. */
export function browserStorage(name: 'localStorage' | 'sessionStorage'): Store {
  try {
    return window[name];
  } catch {
    return disabled;
  }
}

/** Stores a text. Returns whether it was stored: the storage may be full or disabled. */
export function put(store: Pick<Store, 'setItem'>, name: string, text: string): boolean {
  try {
    store.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
