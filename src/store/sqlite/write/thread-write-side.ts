import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import type { ChangeStamp, HistoryTransaction } from '../../contract/history-store.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { mapMethods, type StoreMethod, type WriteSide } from '../../contract/store.ts';
import type { QuoteCommit, QuoteStore } from '../../contract/quote-store.ts';
import { toQuoteRows, type QuoteRow } from '../../encoding/quote-row.ts';
import { unpackError, type PackedError } from '../file/sqlite-fault.ts';
import type { WriteSideOptions } from './inline-write-side.ts';
import type { RowCommit } from './sqlite-quote-writer.ts';

/**
 * A call of the writing thread. A transaction of history stays open between messages. Its id is that of the call
 * `begin`.
 */
export type WriterCall =
  | { readonly what: 'open' | 'close' }
  | { readonly what: 'call'; readonly method: StoreMethod; readonly args: readonly unknown[] }
  | { readonly what: 'begin'; readonly origin: ChangeOrigin }
  | {
      readonly what: keyof HistoryTransaction;
      readonly transaction: number;
      readonly args: readonly unknown[];
    }
  | { readonly what: 'finish'; readonly transaction: number; readonly at: number }
  | { readonly what: 'undo'; readonly transaction: number };

/** The message of a call. */
export type WriterRequest = WriterCall & { readonly id: number };

/** The response of the writing thread. */
export type WriterReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PackedError };

/**
 * One run of the writing thread, seen from the calling thread. Once the thread has ended for any reason,
 * all pending and later calls are rejected as `unavailable`. As after a power failure, it is not known
 * whether the pending calls took effect.
 *
 * `SqliteWriter` limits the number of queued transactions.
 */
export class WriterThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #path: string;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #exited: Promise<void>;
  #lastId = 0;
  #end: StoreFault | undefined;

  constructor(options: WriteSideOptions) {
    this.#path = options.path;
    this.#worker = new Worker(new URL('writer-worker.ts', import.meta.url), {
      name: 'store-writer',
      workerData: options,
    });
    this.#worker.on('message', (reply: WriterReply) => this.#settle(reply));
    this.#worker.on('error', (cause) => this.#fail(cause));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(undefined);
        resolve();
      });
    });
  }

  /** Whether the thread has ended. It accepts no calls then. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Makes a call. Its id identifies a transaction. */
  begin(call: WriterCall): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = (this.#lastId += 1);
    if (this.#end !== undefined) return { id, answer: Promise.reject(this.#end) };
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#worker.postMessage({ ...call, id } satisfies WriterRequest, []);
    return { id, answer: pending.promise };
  }

  /** Makes a call and returns its result. */
  call(call: WriterCall): Promise<unknown> {
    return this.begin(call).answer;
  }

  /** Waits until the thread has finished its calls, closed its connection and ended. */
  async close(): Promise<void> {
    if (this.#end === undefined) await this.call({ what: 'close' });
    await this.#exited;
  }

  /** Ends the thread at once. Pending calls are rejected. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.terminate();
  }

  #settle(reply: WriterReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('error' in reply) pending?.reject(unpackError(reply.error));
    else pending?.resolve(reply.value);
  }

  #fail(cause: unknown): void {
    this.#end ??= new StoreFault('unavailable', `the thread that writes ${this.#path} has ended`, {
      cause,
    });
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
  }
}

/**
 * Opens the connection that writes in a separate thread, as `openInlineWriteSide` does in this thread. The thread is
 * replaced when it has ended.
 *
 * When a thread ends, its pending calls are rejected as `unavailable`, and the caller may retry. The
 * next call starts another thread. So a thread that fails at once is not restarted in a loop, but at
 * most once for each call.
 *
 * @param startThread starts a thread that has not been used.
 * @throws StoreFault `unavailable`, `corrupt`, `schema-newer` or `busy`.
 */
export async function openThreadWriteSide(
  startThread: () => WriterThread,
): Promise<WriteSide & AsyncDisposable> {
  const running = new Set<Promise<unknown>>();
  let current: { readonly thread: WriterThread; readonly opened: Promise<void> } | undefined;
  let isClosed = false;

  const openThread = async (): Promise<WriterThread> => {
    if (current === undefined || current.thread.hasEnded) {
      const thread = startThread();
      current = { thread, opened: openOrEnd(thread) };
    }
    const { thread, opened } = current;
    await opened;
    return thread;
  };
  const use = async <T>(work: (thread: WriterThread) => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('the store is closed');
    const call = openThread().then(work);
    running.add(call);
    try {
      return await call;
    } finally {
      running.delete(call);
    }
  };

  await openThread();
  const callIn = (thread: WriterThread, method: StoreMethod, args: readonly unknown[]) =>
    thread.call({ what: 'call', method, args });
  const methods = mapMethods(
    (method) =>
      (...args) =>
        use((thread) => callIn(thread, method, args)),
  );
  return {
    ...methods,
    quotes: {
      commit: (commit) =>
        use(async (thread) => callIn(thread, commitMethod, [await inRows(commit)])) as ReturnType<
          QuoteStore['commit']
        >,
    },
    history: { transaction: (work, stamp) => use((thread) => runIn(thread, work, stamp)) },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.allSettled(running);
      await current?.thread.close();
    },
  };
}

const commitMethod: StoreMethod = { part: 'quotes', name: 'commit', kind: 'write' };

/** Maximum number of quotes that are encoded in one turn of the event loop: all at once would delay requests. */
const quotesPerTurnMax = 100;

/** A commit with the rows of its quotes: copying these to another thread costs less than copying the quotes. */
async function inRows({ quotes, ...rest }: QuoteCommit): Promise<RowCommit> {
  const rows: QuoteRow[] = [];
  for (let from = 0; from < quotes.length; from += quotesPerTurnMax) {
    // oxlint-disable-next-line no-await-in-loop -- requests are answered between two turns.
    if (from > 0) await nextTurn();
    rows.push(...toQuoteRows(quotes.slice(from, from + quotesPerTurnMax)));
  }
  return { ...rest, quotes: rows };
}

/** Opens the database in the thread. Ends the thread when that fails, so that the process can exit. */
async function openOrEnd(thread: WriterThread): Promise<void> {
  try {
    await thread.call({ what: 'open' });
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

async function runIn<T>(
  thread: WriterThread,
  work: (transaction: HistoryTransaction) => Promise<T>,
  { origin, now }: ChangeStamp,
): Promise<T> {
  const { id: transaction, answer } = thread.begin({ what: 'begin', origin });
  await answer;
  let hasEnded = false;
  const within = <Result>(
    what: keyof HistoryTransaction,
    ...args: readonly unknown[]
  ): Promise<Result> => {
    if (hasEnded) return Promise.reject(new Error('the transaction has ended'));
    return thread.call({ what, transaction, args }) as Promise<Result>;
  };
  let result: T;
  try {
    result = await work({
      read: (...args) => within('read', ...args),
      put: (...args) => within('put', ...args),
      restore: (...args) => within('restore', ...args),
    });
  } catch (error) {
    // When the thread has ended, so has the transaction. The first error is the more useful one.
    await thread.call({ what: 'undo', transaction }).catch(() => undefined);
    throw error;
  } finally {
    hasEnded = true;
  }
  await thread.call({ what: 'finish', transaction, at: now() });
  return result;
}
