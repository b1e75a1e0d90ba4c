import type { StoreDamage } from '../../contract/store-damage.ts';
import type { Store } from '../../contract/store.ts';

/**
 * A store that refuses closes and bars as soon as damage has been found anywhere in it. Each read notes the
 * damage that it finds itself.
 *
 * Quotes, keys, corporate actions and indices are read as a whole, and kept in memory. They are read again, so that
 * a change of a key still takes effect.
 */
export function guardStore(store: Store, damage: StoreDamage): Store {
  const { history, bars, keys, quotes, actions, indices, terms, memory } = store;
  const noting = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (fault) {
      damage.note(fault);
      throw fault;
    }
  };
  const refusing = <T>(run: () => Promise<T>): Promise<T> =>
    damage.fault === undefined ? noting(run) : Promise.reject(damage.fault);
  return {
    history: {
      readSeries: (...args) => refusing(() => history.readSeries(...args)),
      readBars: (...args) => refusing(() => history.readBars(...args)),
      countCloses: (...args) => refusing(() => history.countCloses(...args)),
      readCloses: (...args) => refusing(() => history.readCloses(...args)),
      latestCloses: (...args) => refusing(() => history.latestCloses(...args)),
      referenceCloses: (...args) => refusing(() => history.referenceCloses(...args)),
      changesSince: (revision) => noting(() => history.changesSince(revision)),
      transaction: (...args) => noting(() => history.transaction(...args)),
    },
    bars: {
      readBars: (...args) => refusing(() => bars.readBars(...args)),
      latestBarDay: (ticker) => refusing(() => bars.latestBarDay(ticker)),
      tidyBars: (options) => noting(() => bars.tidyBars(options)),
    },
    keys: {
      readAll: () => noting(() => keys.readAll()),
      revision: () => noting(() => keys.revision()),
      readEvents: (options) => noting(() => keys.readEvents(options)),
      insert: (...args) => noting(() => keys.insert(...args)),
      change: (...args) => noting(() => keys.change(...args)),
      rotate: (...args) => noting(() => keys.rotate(...args)),
      restore: (content) => noting(() => keys.restore(content)),
      noteUses: (uses) => noting(() => keys.noteUses(uses)),
    },
    quotes: {
      readAll: () => noting(() => quotes.readAll()),
      readNewer: (version) => noting(() => quotes.readNewer(version)),
      commit: (commit) => noting(() => quotes.commit(commit)),
    },
    actions: {
      readAll: () => noting(() => actions.readAll()),
      revision: () => noting(() => actions.revision()),
      apply: (...args) => noting(() => actions.apply(...args)),
      restore: (versions) => noting(() => actions.restore(versions)),
    },
    indices: {
      readAll: () => noting(() => indices.readAll()),
      revision: () => noting(() => indices.revision()),
      readReplaced: (index) => noting(() => indices.readReplaced(index)),
      put: (...args) => noting(() => indices.put(...args)),
      restore: (content) => noting(() => indices.restore(content)),
    },
    terms: {
      revision: () => noting(() => terms.revision()),
      record: (...args) => noting(() => terms.record(...args)),
      restore: (versions) => noting(() => terms.restore(versions)),
    },
    memory: {
      readCloses: (...args) => refusing(() => memory.readCloses(...args)),
      countCloses: (...args) => refusing(() => memory.countCloses(...args)),
      readActions: () => noting(() => memory.readActions()),
      readTerms: () => noting(() => memory.readTerms()),
      knownSince: (ticker) => refusing(() => memory.knownSince(ticker)),
      began: () => noting(() => memory.began()),
    },
    hints: store.hints,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
