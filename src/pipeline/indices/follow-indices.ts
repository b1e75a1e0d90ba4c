import { IndexSeries, noIndices } from '../../domain/indices/index-series.ts';
import type { IndexStore } from '../../store/contract/index-store.ts';

/**
 * Stores the values of all indices in memory, and follows the store. An import by any process applies
 * without a restart.
 */
export class IndexFollower {
  readonly #store: Pick<IndexStore, 'readAll' | 'revision'>;
  /** Undefined before the first read. */
  #revision: number | undefined;
  #current = noIndices;

  constructor(store: Pick<IndexStore, 'readAll' | 'revision'>) {
    this.#store = store;
  }

  /** The values as of the last {@link catchUp}. */
  get current(): IndexSeries {
    return this.#current;
  }

  /** Reads the values if they have changed since the last call. The first call reads all of them. */
  async catchUp(): Promise<void> {
    if ((await this.#store.revision()) === this.#revision) return;
    const { revision, values } = await this.#store.readAll();
    this.#current = new IndexSeries(revision, values);
    this.#revision = revision;
  }
}
