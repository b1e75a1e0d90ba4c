import type { ActionStore } from '../action-store.ts';
import type { BarStore } from '../bar-store.ts';
import type { StoreHints } from '../hints.ts';
import type { CloseReader, HistoryReader, HistoryWriter } from '../history-store.ts';
import type { KeyStore } from '../key-store.ts';
import type { QuoteStore } from '../quote-store.ts';
import { StoreFault } from '../store-fault.ts';
import type { Store } from '../store.ts';
import type { Fence } from './claim/fence.ts';
import type { Link } from './connection/link.ts';
import type { Transactions } from './connection/transactions.ts';
import { PgActionReader } from './read/pg-action-reader.ts';
import { PgBarReader } from './read/pg-bar-reader.ts';
import { PgHistoryReader } from './read/pg-history-reader.ts';
import { PgKeyReader } from './read/pg-key-reader.ts';
import { PgQuoteReader } from './read/pg-quote-reader.ts';
import type { Watch } from './watch/watch.ts';
import { PgBarTidying } from './write/bar-tidying.ts';
import { PgActionWriter } from './write/pg-action-writer.ts';
import { PgHistoryWriter } from './write/pg-history-writer.ts';
import { PgKeyWriter } from './write/pg-key-writer.ts';
import { PgQuoteWriter } from './write/pg-quote-writer.ts';

/** The connections that write. Each one is opened when it is first used. */
export interface WriteSide {
  /** Statements that are complete in themselves. */
  readonly link: Link;
  /** Transactions of keys and actions. */
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
    const refuse = (): Promise<never> => Promise.reject(readOnlyFault(place.where));
    const history = new PgHistoryReader(reading, watch);
    const imports = writing && new PgHistoryWriter(writing.imports, place);
    this.history = joined(history, {
      transaction: async (work) => {
        if (imports === undefined) return refuse();
        const result = await imports.transaction(work);
        watch.forget('closes');
        return result;
      },
    } satisfies HistoryWriter);

    const actions = writing && new PgActionWriter(writing.changes, place.channel);
    this.actions = joined(new PgActionReader(reading, watch), {
      apply: async (change: Parameters<ActionStore['apply']>[0]) => {
        const changed = await (actions?.apply(change) ?? refuse());
        watch.forget('actions');
        return changed;
      },
    });

    const { channel } = place;
    const keys =
      writing && new PgKeyWriter({ link: writing.link, transactions: writing.changes, channel });
    const changed = async <T>(change: Promise<T> | undefined): Promise<T> => {
      const outcome = await (change ?? refuse());
      watch.forget('keys');
      return outcome;
    };
    this.keys = joined(new PgKeyReader(reading, watch), {
      insert: (...args: Parameters<KeyStore['insert']>) => changed(keys?.insert(...args)),
      change: (...args: Parameters<KeyStore['change']>) => changed(keys?.change(...args)),
      rotate: (...args: Parameters<KeyStore['rotate']>) => changed(keys?.rotate(...args)),
      noteUses: (...args: Parameters<KeyStore['noteUses']>) => keys?.noteUses(...args) ?? refuse(),
    });

    const tidying = writing && new PgBarTidying(writing.link, writing.fence);
    const quotes =
      writing &&
      new PgQuoteWriter({
        link: writing.link,
        fence: writing.fence,
        channel,
        onBars: (bars) => tidying?.added(bars),
      });
    this.quotes = joined(new PgQuoteReader(reading), {
      commit: async (commit: Parameters<QuoteStore['commit']>[0]) => {
        const conflicts = await (quotes?.commit(commit) ?? refuse());
        if (commit.closes.length > 0) watch.forget('closes');
        return conflicts;
      },
    });
    this.bars = joined(new PgBarReader(reading), {
      tidyBars: (options: Parameters<BarStore['tidyBars']>[0]) =>
        tidying?.tidyBars(options) ?? refuse(),
    });
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

/** An object with the methods of a reader and of a writer. */
function joined<R extends object, W extends object>(reader: R, writer: W): R & W {
  return new Proxy(reader, {
    get: (target, name) => {
      const owner = name in writer ? writer : target;
      const member: unknown = Reflect.get(owner, name);
      return typeof member === 'function' ? (member as () => unknown).bind(owner) : member;
    },
  }) as R & W;
}

function readOnlyFault(where: string): StoreFault {
  return new StoreFault('unavailable', `${where} was opened read-only`);
}
