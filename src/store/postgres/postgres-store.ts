import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { ActionKey, ActionStore } from '../contract/action-store.ts';
import type { BarStore, TidyOptions } from '../contract/bar-store.ts';
import type { StoreHints } from '../contract/hints.ts';
import type {
  CloseReader,
  HistoryReader,
  HistoryTransaction,
  HistoryWriter,
} from '../contract/history-store.ts';
import type { KeyChangeOutcome, KeyContent, KeyStore, KeyUse } from '../contract/key-store.ts';
import type { QuoteCommit, QuoteStore } from '../contract/quote-store.ts';
import { StoreFault } from '../contract/store-fault.ts';
import type { Store } from '../contract/store.ts';
import type { Fence } from './claim/fence.ts';
import type { Link } from './connection/link.ts';
import type { Transactions } from './connection/transactions.ts';
import { PgActionReader } from './read/pg-action-reader.ts';
import { PgBarReader } from './read/pg-bar-reader.ts';
import { PgHistoryReader } from './read/pg-history-reader.ts';
import { PgKeyReader } from './read/pg-key-reader.ts';
import { PgQuoteReader } from './read/pg-quote-reader.ts';
import type { Heads } from './watch/heads.ts';
import type { Watch } from './watch/watch.ts';
import { PgBarTidying } from './write/bar-tidying.ts';
import { PgActionWriter } from './write/pg-action-writer.ts';
import { PgHistoryWriter } from './write/pg-history-writer.ts';
import { PgKeyWriter } from './write/pg-key-writer.ts';
import { PgQuoteWriter } from './write/pg-quote-writer.ts';

/** The connections that write. Each one is opened when it is first used, unless a stand-by has reserved it. */
export interface WriteSide {
  /** Statements that are complete in themselves. */
  readonly link: Link;
  /** Transactions of keys and actions. */
  readonly changes: Transactions;
  /** Transactions of history, which may take minutes. */
  readonly imports: Transactions;
  readonly fence: Fence;
}

/** What the parts of a store share. */
interface Parts {
  readonly where: string;
  readonly reading: Link;
  readonly heads: Heads;
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
    const { where } = place;
    const parts: Parts = { where, reading, heads: watch };
    const writers = writing && writersOf(writing, place);
    this.history = new PgHistory(parts, writers?.history);
    this.actions = new PgActions(parts, writers?.actions);
    this.keys = new PgKeys(parts, writers?.keys);
    this.quotes = new PgQuotes(parts, writers?.quotes);
    this.bars = new PgBars(parts, writers?.bars);
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
    keys: new PgKeyWriter({ link, transactions: changes, channel }),
    quotes: new PgQuoteWriter({ link, fence, channel, onBars }),
    bars,
  };
}

/** Reads through one connection and writes through others. */
class PgHistory extends PgHistoryReader implements HistoryWriter {
  readonly #parts: Parts;
  readonly #writer: HistoryWriter | undefined;

  constructor(parts: Parts, writer: HistoryWriter | undefined) {
    super(parts.reading, parts.heads);
    this.#parts = parts;
    this.#writer = writer;
  }

  async transaction<T>(work: (transaction: HistoryTransaction) => Promise<T>): Promise<T> {
    const result = await writable(this.#writer, this.#parts).transaction(work);
    this.#parts.heads.forget('closes');
    return result;
  }
}

class PgActions extends PgActionReader implements ActionStore {
  readonly #parts: Parts;
  readonly #writer: PgActionWriter | undefined;

  constructor(parts: Parts, writer: PgActionWriter | undefined) {
    super(parts.reading, parts.heads);
    this.#parts = parts;
    this.#writer = writer;
  }

  async apply(change: Parameters<ActionStore['apply']>[0]): Promise<readonly ActionKey[]> {
    const changed = await writable(this.#writer, this.#parts).apply(change);
    this.#parts.heads.forget('actions');
    return changed;
  }
}

class PgKeys extends PgKeyReader implements KeyStore {
  readonly #parts: Parts;
  readonly #writer: PgKeyWriter | undefined;

  constructor(parts: Parts, writer: PgKeyWriter | undefined) {
    super(parts.reading, parts.heads);
    this.#parts = parts;
    this.#writer = writer;
  }

  async insert(...args: Parameters<KeyStore['insert']>): Promise<void> {
    await writable(this.#writer, this.#parts).insert(...args);
    this.#parts.heads.forget('keys');
  }

  async change(...args: Parameters<KeyStore['change']>): Promise<KeyChangeOutcome> {
    const outcome = await writable(this.#writer, this.#parts).change(...args);
    this.#parts.heads.forget('keys');
    return outcome;
  }

  async rotate(...args: Parameters<KeyStore['rotate']>): Promise<KeyChangeOutcome> {
    const outcome = await writable(this.#writer, this.#parts).rotate(...args);
    this.#parts.heads.forget('keys');
    return outcome;
  }

  async restore(content: KeyContent): Promise<void> {
    await writable(this.#writer, this.#parts).restore(content);
    this.#parts.heads.forget('keys');
  }

  async noteUses(uses: readonly KeyUse[]): Promise<void> {
    return writable(this.#writer, this.#parts).noteUses(uses);
  }
}

class PgQuotes extends PgQuoteReader implements QuoteStore {
  readonly #parts: Parts;
  readonly #writer: PgQuoteWriter | undefined;

  constructor(parts: Parts, writer: PgQuoteWriter | undefined) {
    super(parts.reading);
    this.#parts = parts;
    this.#writer = writer;
  }

  async commit(commit: QuoteCommit): Promise<readonly CloseConflict[]> {
    const conflicts = await writable(this.#writer, this.#parts).commit(commit);
    if (commit.closes.length > 0) this.#parts.heads.forget('closes');
    return conflicts;
  }
}

class PgBars extends PgBarReader implements BarStore {
  readonly #parts: Parts;
  readonly #writer: PgBarTidying | undefined;

  constructor(parts: Parts, writer: PgBarTidying | undefined) {
    super(parts.reading);
    this.#parts = parts;
    this.#writer = writer;
  }

  async tidyBars(options: TidyOptions): Promise<boolean> {
    return writable(this.#writer, this.#parts).tidyBars(options);
  }
}

/**
 * The writer of a store.
 *
 * @throws StoreFault `unavailable` for a store that was opened to read.
 */
function writable<T>(writer: T | undefined, { where }: Parts): T {
  if (writer !== undefined) return writer;
  throw new StoreFault('unavailable', `${where} was opened read-only`);
}
