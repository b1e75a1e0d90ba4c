/** What of a store has changed. */
export type StoreHint = 'quotes' | 'history' | 'keys' | 'actions' | 'indices';

/**
 * Hints that another process changed the store. A hint may be lost, repeated or wrong. It only makes a
 * reader read at once instead of at its next poll.
 */
export interface StoreHints {
  /** Calls `onHint` with each hint until the subscription is disposed. */
  subscribe(onHint: (what: StoreHint) => void): Disposable;
}

/** The hints of a store that has none. */
export const noHints: StoreHints = {
  subscribe: () => ({ [Symbol.dispose]: () => undefined }),
};
