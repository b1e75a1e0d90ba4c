import { StoreFault } from '../contract/store-fault.ts';
import {
  callMethod,
  mapMethods,
  type ReadSide,
  type Store,
  type StoreParts,
  type WriteSide,
} from '../contract/store.ts';
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

/** The names of the schema, of the place for people, and of the channel of its notifications. */
interface StorePlaceNames {
  readonly schema: string;
  readonly where: string;
  readonly channel: string;
}

/** The connections that write. Each one is opened when it is first used, unless a stand-by has reserved it. */
export interface PostgresWriting {
  /** Statements that are complete in themselves. */
  readonly link: Link;
  /** Transactions of keys, actions, indices and terms. */
  readonly changes: Transactions;
  /** Transactions of history, which may take minutes. */
  readonly imports: Transactions;
  readonly fence: Fence;
}

/** What a change of a part makes out of date. A commit of quotes changes closes only if it has some. */
const subjects: Partial<Record<keyof StoreParts, RevisionSubject>> = {
  history: 'closes',
  actions: 'actions',
  indices: 'indices',
  terms: 'terms',
  keys: 'keys',
};

/**
 * A store in a schema of a PostgreSQL database. It owns its connections: one that reads, up to three that
 * write, and one that listens for changes once somebody subscribes to hints.
 */
export function postgresStore(own: {
  readonly place: StorePlaceNames;
  readonly reading: Link;
  /** Absent for a store that was opened to read. */
  readonly writing: PostgresWriting | undefined;
  readonly watch: Watch;
}): Store {
  const { place, reading, writing, watch } = own;
  const readers = readersOf(reading, watch);
  const writers = writing && writersOf(writing, place, () => watch.forget('closes'));
  return {
    ...mapMethods((method) => {
      if (method.kind !== 'write') return (...args) => callMethod(readers, method, args);
      const subject = subjects[method.part];
      return async (...args) => {
        if (writers === undefined) {
          throw new StoreFault('unavailable', `${place.where} was opened read-only`);
        }
        const result = await callMethod(writers, method, args);
        if (subject !== undefined) watch.forget(subject);
        return result;
      };
    }),
    hints: watch,
    // Waits for pending transactions, then closes all connections.
    async [Symbol.asyncDispose]() {
      const connections = writing && [writing.imports, writing.changes, writing.link];
      const owned = [watch, reading, ...(connections ?? [])];
      await Promise.all(owned.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

function readersOf(reading: Link, watch: Watch): ReadSide {
  const terms = new PgTermsReader(reading, watch);
  return {
    history: new PgHistoryReader(reading, watch),
    actions: new PgActionReader(reading, watch),
    indices: new PgIndexReader(reading, watch),
    terms,
    memory: new PgMemoryReader(reading, terms),
    keys: new PgKeyReader(reading, watch),
    quotes: new PgQuoteReader(reading),
    bars: new PgBarReader(reading),
  };
}

function writersOf(
  { link, changes, imports, fence }: PostgresWriting,
  place: StorePlaceNames,
  onCloses: () => void,
): WriteSide {
  const { channel } = place;
  const bars = new PgBarTidying(link, fence);
  const onBars: PgBarTidying['added'] = (added) => bars.added(added);
  const quotes = new PgQuoteWriter({ link, fence, channel, onBars });
  return {
    history: new PgHistoryWriter(imports, place),
    actions: new PgActionWriter(changes, channel),
    indices: new PgIndexWriter(changes, channel),
    terms: new PgTermsWriter(changes),
    keys: new PgKeyWriter({ link, transactions: changes, channel }),
    quotes: {
      async commit(commit) {
        const conflicts = await quotes.commit(commit);
        if (commit.closes.length > 0) onCloses();
        return conflicts;
      },
    },
    bars,
  };
}
