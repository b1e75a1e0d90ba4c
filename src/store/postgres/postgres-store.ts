import type { ActionStore } from '../contract/action-store.ts';
import type { BarStore } from '../contract/bar-store.ts';
import type { StoreHints } from '../contract/hints.ts';
import type { CloseReader, HistoryReader, HistoryWriter } from '../contract/history-store.ts';
import type { IndexStore } from '../contract/index-store.ts';
import type { KeyStore } from '../contract/key-store.ts';
import type { QuoteStore } from '../contract/quote-store.ts';
import { StoreFault } from '../contract/store-fault.ts';
import type { StoreMemory } from '../contract/store-memory.ts';
import type { TermsStore } from '../contract/terms-store.ts';
import type { Store } from '../contract/store.ts';
import type { Fence } from './claim/fence.ts';
import type { Link } from './connection/link.ts';
import type { Transactions } from './connection/transactions.ts';
import { PgActionReader } from './read/pg-action-reader.ts';
import { PgBarReader } from './read/pg-bar-reader.ts';
import { PgHistoryReader } from './read/pg-history-reader.ts';
import { PgIndexReader } from './read/pg-index-reader.ts';
import { PgKeyReader } from './read/pg-key-reader.ts';
import { PgMemoryReader } from './read/pg-memory-reader.ts';
import { PgQuoteReader } from './read/pg-quote-reader.ts';
import { PgTermsReader } from './read/pg-terms-reader.ts';
import type { RevisionSubject } from './watch/heads.ts';
import type { Watch } from './watch/watch.ts';
import { PgBarTidying } from './write/bar-tidying.ts';
import { PgActionWriter } from './write/pg-action-writer.ts';
import { PgHistoryWriter } from './write/pg-history-writer.ts';
import { PgIndexWriter } from './write/pg-index-writer.ts';
import { PgKeyWriter } from './write/pg-key-writer.ts';
import { PgQuoteWriter } from './write/pg-quote-writer.ts';
import { PgTermsWriter } from './write/pg-terms-writer.ts';

/** The connections that write. Each one is opened when it is first used, unless a stand-by has reserved it. */
export interface WriteSide {
  /** Statements that are complete in themselves. */
  readonly link: Link;
  /** Transactions of keys, actions, indices and terms. */
  readonly changes: Transactions;
  /** Transactions of history, which may take minutes. */
  readonly imports: Transactions;
  readonly fence: Fence;
}

/**
 * A store in a schema of a PostgreSQL database. It owns its connections: one that reads, up to three that
 * write, and one that listens for changes once somebody subscribes to hints.
 */
export class PostgresStore implements Store {
  readonly history: HistoryReader & CloseReader & HistoryWriter;
  readonly actions: ActionStore;
  readonly indices: IndexStore;
  readonly terms: TermsStore;
  readonly memory: StoreMemory;
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
  readonly bars: BarStore;
  readonly hints: StoreHints;
  readonly #owned: readonly AsyncDisposable[];

  constructor(own: {
    readonly place: { readonly schema: string; readonly where: string; readonly channel: string };
    readonly reading: Link;
    /** Absent for a store that was opened to read. */
    readonly writing: WriteSide | undefined;
    readonly watch: Watch;
  }) {
    const { place, reading, writing, watch } = own;
    const { where } = place;
    const writers = writing && writersOf(writing, place);
    const writable = () => {
      if (writers !== undefined) return writers;
      throw new StoreFault('unavailable', `${where} was opened read-only`);
    };
    const thenForget = async <T>(subject: RevisionSubject, change: Promise<T>) => {
      const result = await change;
      watch.forget(subject);
      return result;
    };
    // Each part reads through one connection and writes through others. Its methods are asynchronous, so
    // a store that was opened to read rejects their calls.
    this.history = Object.assign(new PgHistoryReader(reading, watch), {
      transaction: async (...args) => thenForget('closes', writable().history.transaction(...args)),
    } satisfies HistoryWriter);
    this.actions = Object.assign(new PgActionReader(reading, watch), {
      apply: async (...args) => thenForget('actions', writable().actions.apply(...args)),
      restore: async (versions) => thenForget('actions', writable().actions.restore(versions)),
    } satisfies Partial<ActionStore>);
    this.indices = Object.assign(new PgIndexReader(reading, watch), {
      put: async (...args) => thenForget('indices', writable().indices.put(...args)),
      restore: async (content) => thenForget('indices', writable().indices.restore(content)),
    } satisfies Partial<IndexStore>);
    const termsReader = new PgTermsReader(reading, watch);
    this.terms = Object.assign(termsReader, {
      record: async (...args) => thenForget('terms', writable().terms.record(...args)),
      restore: async (versions) => thenForget('terms', writable().terms.restore(versions)),
    } satisfies Partial<TermsStore>);
    this.memory = new PgMemoryReader(reading, termsReader);
    this.keys = Object.assign(new PgKeyReader(reading, watch), {
      insert: async (...args) => thenForget('keys', writable().keys.insert(...args)),
      change: async (...args) => thenForget('keys', writable().keys.change(...args)),
      rotate: async (...args) => thenForget('keys', writable().keys.rotate(...args)),
      restore: async (content) => thenForget('keys', writable().keys.restore(content)),
      noteUses: async (uses) => writable().keys.noteUses(uses),
    } satisfies Partial<KeyStore>);
    this.quotes = Object.assign(new PgQuoteReader(reading), {
      commit: async (commit) => {
        const conflicts = await writable().quotes.commit(commit);
        if (commit.closes.length > 0) watch.forget('closes');
        return conflicts;
      },
    } satisfies Partial<QuoteStore>);
    this.bars = Object.assign(new PgBarReader(reading), {
      tidyBars: async (options) => writable().bars.tidyBars(options),
    } satisfies Partial<BarStore>);
    this.hints = watch;
    this.#owned = [
      watch,
      reading,
      ...(writing === undefined ? [] : [writing.imports, writing.changes, writing.link]),
    ];
  }

  /** Waits for pending transactions, then closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#owned.map((one) => one[Symbol.asyncDispose]()));
  }
}

function writersOf(
  { link, changes, imports, fence }: WriteSide,
  place: { readonly schema: string; readonly where: string; readonly channel: string },
) {
  const { channel } = place;
  const bars = new PgBarTidying(link, fence);
  const onBars: PgBarTidying['added'] = (added) => bars.added(added);
  return {
    history: new PgHistoryWriter(imports, place),
    actions: new PgActionWriter(changes, channel),
    indices: new PgIndexWriter(changes, channel),
    terms: new PgTermsWriter(changes),
    keys: new PgKeyWriter({ link, transactions: changes, channel }),
    quotes: new PgQuoteWriter({ link, fence, channel, onBars }),
    bars,
  };
}
