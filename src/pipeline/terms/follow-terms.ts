import { classesOf } from '../../domain/history/terms-changes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Store } from '../../store/contract/store.ts';

/** Follows the terms of bonds that the writer has recorded, so that caches drop what shows their changes. */
export class TermsFollower {
  readonly #store: TermsMemory;
  readonly #onChange: (tickers: readonly Ticker[]) => void;
  /** Undefined before the first look. */
  #revision: number | undefined;

  /** @param onChange receives every instrument that has or had terms: changes are rare. */
  constructor(store: TermsMemory, onChange: (tickers: readonly Ticker[]) => void) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** Reports whether terms have changed since the last call. Nothing is cached before the first one. */
  async catchUp(): Promise<void> {
    const revision = await this.#store.terms.revision();
    if (this.#revision !== undefined && revision !== this.#revision) {
      const versions = await this.#store.memory.readTerms();
      this.#onChange([...new Set(versions.flatMap(({ value }) => classesOf(value)))]);
    }
    this.#revision = revision;
  }
}

/** What of a store is followed. */
interface TermsMemory {
  readonly terms: Pick<Store['terms'], 'revision'>;
  readonly memory: Pick<Store['memory'], 'readTerms'>;
}
