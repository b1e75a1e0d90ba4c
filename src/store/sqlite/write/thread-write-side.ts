import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { CloseConflict } from '../../../domain/history/offered-close.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type {
  ChangeStamp,
  DayRange,
  HistoryTransaction,
  HistoryWriter,
} from '../../contract/history-store.ts';
import type { QuoteCommit } from '../../contract/quote-store.ts';
import type { WriteSideOptions } from './inline-write-side.ts';
import { packBarColumns } from '../rows/bar-columns.ts';
import { packCloses } from '../rows/close-columns.ts';
import { packQuotes } from '../rows/quote-columns.ts';
import type {
  ActionWriter,
  BarWriter,
  IndexWriter,
  KeyWriter,
  QuoteWriter,
  TermsWriter,
  WriteSide,
} from './write-side.ts';
import { WriterThread } from './writer-thread.ts';

/**
 * Opens the connection that writes in a separate thread, as {@link openInlineWriteSide} does in this
 * thread.
 *
 * @param started a thread with the same options that was started before, and has not been used.
 * @throws StoreFault `unavailable`, `corrupt`, `schema-newer` or `busy`.
 */
export async function openThreadWriteSide(
  options: WriteSideOptions,
  started?: WriterThread,
): Promise<WriteSide> {
  let first = started;
  const side = new ThreadWriteSide(() => {
    const thread = first ?? new WriterThread(options);
    first = undefined;
    return thread;
  });
  await side.open();
  return side;
}

/**
 * Writes through a thread that owns the connection, and replaces the thread when it has ended.
 *
 * When a thread ends, its pending calls are rejected as `unavailable`, and the caller may retry. The
 * next call starts another thread. So a thread that fails at once is not restarted in a loop, but at
 * most once for each call.
 */
export class ThreadWriteSide implements WriteSide {
  readonly history: HistoryWriter;
  readonly actions: ActionWriter;
  readonly indices: IndexWriter;
  readonly terms: TermsWriter;
  readonly keys: KeyWriter;
  readonly quotes: QuoteWriter;
  readonly bars: BarWriter;
  readonly #startThread: () => WriterThread;
  readonly #running = new Set<Promise<unknown>>();
  #current: { readonly thread: WriterThread; readonly opened: Promise<void> } | undefined;
  #closed = false;

  constructor(startThread: () => WriterThread) {
    this.#startThread = startThread;
    this.history = {
      transaction: (work, stamp) => this.#use((thread) => runTransaction(thread, { work, stamp })),
    };
    this.actions = {
      apply: (...args) => this.#use((thread) => thread.call('applyActions', args)),
      restore: (versions) => this.#use((thread) => thread.call('restoreActions', versions)),
    };
    this.indices = {
      put: (...args) => this.#use((thread) => thread.call('putIndices', args)),
      restore: (content) => this.#use((thread) => thread.call('restoreIndices', content)),
    };
    this.terms = {
      record: (...args) => this.#use((thread) => thread.call('recordTerms', args)),
      restore: (versions) => this.#use((thread) => thread.call('restoreTerms', versions)),
    };
    this.keys = {
      insert: (...args) => this.#use((thread) => thread.call('insertKey', args)),
      change: (...args) => this.#use((thread) => thread.call('changeKey', args)),
      rotate: (...args) => this.#use((thread) => thread.call('rotateKey', args)),
      restore: (content) => this.#use((thread) => thread.call('restoreKeys', content)),
      noteUses: (uses) => this.#use((thread) => thread.call('noteKeyUses', uses)),
    };
    this.quotes = { commit: (commit) => this.#use((thread) => runCommit(thread, commit)) };
    this.bars = { tidyBars: (options) => this.#use((thread) => thread.call('tidyBars', options)) };
  }

  /** Starts the thread. Resolves when its connection is open. */
  open(): Promise<void> {
    return this.#use(() => Promise.resolve());
  }

  /** Waits for the pending calls. Then the thread closes its connection and ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
    await this.#current?.thread.close();
  }

  async #use<T>(work: (thread: WriterThread) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the store is closed');
    const running = this.#openThread().then(work);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #openThread(): Promise<WriterThread> {
    if (this.#current === undefined || this.#current.thread.hasEnded) {
      const thread = this.#startThread();
      this.#current = { thread, opened: openOrEnd(thread) };
    }
    const { thread, opened } = this.#current;
    await opened;
    return thread;
  }
}

/** Opens the database in the thread. Ends the thread when that fails, so that the process can exit. */
async function openOrEnd(thread: WriterThread): Promise<void> {
  try {
    await thread.call('open', undefined);
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

function runCommit(
  thread: WriterThread,
  { quotes, closes, storedAt, bars = [] }: QuoteCommit,
): Promise<readonly CloseConflict[]> {
  const columns = packQuotes(quotes);
  const barColumns = packBarColumns(bars);
  return thread.call('commit', { quotes: columns, closes, storedAt, bars: barColumns }, [
    columns.numbers.buffer,
    barColumns.numbers.buffer,
  ]);
}

async function runTransaction<T>(
  thread: WriterThread,
  {
    work,
    stamp,
  }: {
    readonly work: (transaction: HistoryTransaction) => Promise<T>;
    readonly stamp: ChangeStamp;
  },
): Promise<T> {
  const { id, answer } = thread.begin('begin', { origin: stamp.origin });
  await answer;
  const transaction = new ThreadTransaction(thread, id);
  let result: T;
  try {
    result = await work(transaction);
  } catch (error) {
    // When the thread has ended, so has the transaction. The first error is the more useful one.
    await thread.call('undo', { transaction: id }).catch(() => undefined);
    throw error;
  } finally {
    transaction.end();
  }
  await thread.call('finish', { transaction: id, at: stamp.now() });
  return result;
}

/** An open transaction of the writing thread. */
class ThreadTransaction implements HistoryTransaction {
  readonly #thread: WriterThread;
  readonly #id: number;
  #hasEnded = false;

  constructor(thread: WriterThread, id: number) {
    this.#thread = thread;
    this.#id = id;
  }

  async read(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]> {
    this.#requireOpen();
    return this.#thread.call('read', { transaction: this.#id, ticker, range });
  }

  async put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    this.#requireOpen();
    const columns = packCloses(closes);
    const args = { transaction: this.#id, ticker, closes: columns };
    return this.#thread.call('put', args, [columns.numbers.buffer]);
  }

  async restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
    this.#requireOpen();
    return this.#thread.call('restore', { transaction: this.#id, ticker, versions });
  }

  /** Ends the transaction. Its methods throw from then on. */
  end(): void {
    this.#hasEnded = true;
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw new Error('the transaction has ended');
  }
}
