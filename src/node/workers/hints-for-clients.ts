import type { StoreHints } from '../../store/contract/store.ts';

/**
 * Passes on the hints of a store while clients are connected. Hints need a file to be polled, so a process without
 * clients reads the store once a second instead. The first connection makes it read the latest changes, before the first
 * request of that connection is read.
 */
export class HintsForClients {
  readonly #gates = new Set<(isOpen: boolean) => void>();
  #isOpen = false;

  /** Sets the number of open connections. */
  connectionsChanged(open: number): void {
    const isOpen = open > 0;
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    for (const gate of this.#gates) gate(isOpen);
  }

  of(hints: StoreHints): StoreHints {
    return {
      subscribe: (onHint) => {
        let following = this.#isOpen ? hints.subscribe(onHint) : undefined;
        const gate = (isOpen: boolean): void => {
          following?.[Symbol.dispose]();
          following = isOpen ? hints.subscribe(onHint) : undefined;
          if (isOpen) onHint('quotes');
        };
        this.#gates.add(gate);
        return {
          [Symbol.dispose]: () => {
            this.#gates.delete(gate);
            following?.[Symbol.dispose]();
          },
        };
      },
    };
  }
}
