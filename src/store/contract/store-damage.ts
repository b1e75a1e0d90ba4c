import { StoreFault } from './store-fault.ts';

/**
 * Whether damage of a store has been found, by a read or by the periodic check, in any process of the service.
 * The first finding stays until a restart over a sound store.
 */
export class StoreDamage {
  readonly #listeners = new Set<(fault: StoreFault) => void>();
  #fault: StoreFault | undefined;

  /** The first finding. */
  get fault(): StoreFault | undefined {
    return this.#fault;
  }

  /** Remembers the first finding, and calls every listener once. */
  found(fault: StoreFault): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    for (const onFound of this.#listeners) onFound(fault);
    this.#listeners.clear();
  }

  /** Remembers a fault if it is damage. */
  note(fault: unknown): void {
    if (fault instanceof StoreFault && fault.code === 'corrupt') this.found(fault);
  }

  /** Calls `onFound` when damage is found, or at once if it was found before. */
  onFound(onFound: (fault: StoreFault) => void): Disposable {
    if (this.#fault === undefined) this.#listeners.add(onFound);
    else onFound(this.#fault);
    return { [Symbol.dispose]: () => void this.#listeners.delete(onFound) };
  }
}
