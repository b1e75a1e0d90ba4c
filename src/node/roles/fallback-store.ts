import type { ActionStore } from '../../store/contract/action-store.ts';
import type { BarStore } from '../../store/contract/bar-store.ts';
import type { StoreHint, StoreHints } from '../../store/contract/hints.ts';
import type { IndexStore } from '../../store/contract/index-store.ts';
import type { KeyStore } from '../../store/contract/key-store.ts';
import type { QuoteStore } from '../../store/contract/quote-store.ts';
import { StoreFault, isOutage } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';
import type { StoreMemory } from '../../store/contract/store-memory.ts';
import type { TermsStore } from '../../store/contract/terms-store.ts';
import type { LocalCopy } from './local-copy.ts';

/** The revision of what is read from the copy before the store could be read: no store has it. */
const copyRevision = -1;

/**
 * A store that is read from a database, and from the local copy while the database is unavailable. Until
 * the database was reached once, everything that is followed comes from the copy. Bars of minutes and the
 * memory of changes are not copied.
 */
export class FallbackStore implements Omit<Store, typeof Symbol.asyncDispose> {
  readonly history: Store['history'];
  readonly actions: ActionStore;
  readonly indices: IndexStore;
  readonly terms: TermsStore;
  readonly memory: StoreMemory;
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
  readonly bars: BarStore;
  readonly hints: StoreHints;
  readonly #listeners = new Set<(what: StoreHint) => void>();
  #remote: Store | undefined;
  /** Whether closes were read from the copy since the database last named the changes. */
  #wasCopyRead = false;

  constructor(copy: LocalCopy) {
    const local = copy.store;
    const remote = (): Store => this.#required();
    const orCopy = async <T>(
      fromRemote: (store: Store) => Promise<T>,
      fromCopy: () => Promise<T>,
    ): Promise<T> => {
      try {
        return await fromRemote(remote());
      } catch (fault) {
        if (!isOutage(fault) || !copy.isComplete) throw fault;
        this.#wasCopyRead = true;
        return fromCopy();
      }
    };
    const { history } = local;
    this.history = {
      readSeries: (...args) =>
        orCopy(
          (store) => store.history.readSeries(...args),
          () => history.readSeries(...args),
        ),
      readBars: (...args) =>
        orCopy(
          (store) => store.history.readBars(...args),
          () => history.readBars(...args),
        ),
      countCloses: (...args) =>
        orCopy(
          (store) => store.history.countCloses(...args),
          () => history.countCloses(...args),
        ),
      readCloses: (...args) =>
        orCopy(
          (store) => store.history.readCloses(...args),
          () => history.readCloses(...args),
        ),
      latestCloses: (...args) =>
        orCopy(
          (store) => store.history.latestCloses(...args),
          () => history.latestCloses(...args),
        ),
      referenceCloses: (...args) =>
        orCopy(
          (store) => store.history.referenceCloses(...args),
          () => history.referenceCloses(...args),
        ),
      changesSince: (revision) => this.#changesSince(revision),
      transaction: (...args) => remote().history.transaction(...args),
    };
    this.actions = {
      revision: async () => this.#remote?.actions.revision() ?? copyRevision,
      readAll: async () => {
        if (this.#remote !== undefined) return this.#remote.actions.readAll();
        return { ...(await local.actions.readAll()), revision: copyRevision };
      },
      apply: (...args) => remote().actions.apply(...args),
      restore: async (versions) => remote().actions.restore(versions),
    };
    this.indices = {
      revision: async () => this.#remote?.indices.revision() ?? copyRevision,
      readAll: async () => {
        if (this.#remote !== undefined) return this.#remote.indices.readAll();
        return { ...(await local.indices.readAll()), revision: copyRevision };
      },
      readReplaced: async (...args) => remote().indices.readReplaced(...args),
      put: async (...args) => remote().indices.put(...args),
      restore: async (...args) => remote().indices.restore(...args),
    };
    this.terms = {
      revision: async () => this.#remote?.terms.revision() ?? copyRevision,
      record: async (...args) => remote().terms.record(...args),
      restore: async (versions) => remote().terms.restore(versions),
    };
    this.memory = {
      readCloses: async (...args) => remote().memory.readCloses(...args),
      countCloses: async (...args) => remote().memory.countCloses(...args),
      readActions: async () => remote().memory.readActions(),
      readTerms: async () => remote().memory.readTerms(),
      knownSince: async (ticker) => remote().memory.knownSince(ticker),
      began: async () => remote().memory.began(),
    };
    this.keys = {
      readAll: async () => remote().keys.readAll(),
      revision: async () => remote().keys.revision(),
      readEvents: async (...args) => remote().keys.readEvents(...args),
      insert: async (...args) => remote().keys.insert(...args),
      change: async (...args) => remote().keys.change(...args),
      rotate: async (...args) => remote().keys.rotate(...args),
      restore: async (...args) => remote().keys.restore(...args),
      noteUses: async (...args) => remote().keys.noteUses(...args),
    };
    this.quotes = {
      readAll: async () => remote().quotes.readAll(),
      readNewer: async (...args) => remote().quotes.readNewer(...args),
      commit: async (...args) => remote().quotes.commit(...args),
    };
    this.bars = {
      readBars: async (...args) => remote().bars.readBars(...args),
      latestBarDay: async (...args) => remote().bars.latestBarDay(...args),
      tidyBars: async (...args) => remote().bars.tidyBars(...args),
    };
    this.hints = {
      subscribe: (onHint) => {
        this.#listeners.add(onHint);
        return { [Symbol.dispose]: () => void this.#listeners.delete(onHint) };
      },
    };
  }

  /** Reads from the database from now on. */
  connect(store: Store): void {
    this.#remote = store;
    store.hints.subscribe((what) => this.#hint(what));
    for (const what of ['quotes', 'history', 'keys', 'actions', 'indices'] as const)
      this.#hint(what);
  }

  /** After a read from the copy, the database names all instruments, because the copy may be older. */
  async #changesSince(revision: number): ReturnType<Store['history']['changesSince']> {
    if (this.#remote === undefined) return { revision: 0, tickers: [] };
    const wasCopyRead = this.#wasCopyRead;
    this.#wasCopyRead = false;
    try {
      return await this.#remote.history.changesSince(wasCopyRead ? 0 : revision);
    } catch (fault) {
      this.#wasCopyRead ||= wasCopyRead;
      throw fault;
    }
  }

  #hint(what: StoreHint): void {
    for (const onHint of this.#listeners) onHint(what);
  }

  #required(): Store {
    if (this.#remote !== undefined) return this.#remote;
    throw new StoreFault('unavailable', 'the database could not be reached yet');
  }
}
