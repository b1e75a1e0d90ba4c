import { Worker } from 'node:worker_threads';

import { StoreFault } from '../../contract/store-fault.ts';
import type { WriteSideOptions } from './inline-write-side.ts';
import { unpackError } from '../file/packed-error.ts';
import type { WriterCallName, WriterCalls, WriterReply } from './writer-protocol.ts';

/** A call that waits for its response. */
interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One run of the writing thread, seen from the calling thread. Once the thread has ended for any reason,
 * all pending and later calls are rejected as `unavailable`. As after a power failure, it is not known
 * whether the pending calls took effect.
 *
 * {@link SqliteWriter} limits the number of queued transactions.
 */
export class WriterThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #path: string;
  readonly #pending = new Map<number, PendingCall>();
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

  /** Makes a call and returns its result. The buffers in `transfer` are transferred, not copied. */
  async call<Name extends WriterCallName>(
    name: Name,
    args: WriterCalls[Name]['args'],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<WriterCalls[Name]['gives']> {
    return this.begin(name, args, transfer).answer;
  }

  /** As {@link call}, but also returns the id of the call. It identifies a transaction. */
  begin<Name extends WriterCallName>(
    name: Name,
    args: WriterCalls[Name]['args'],
    transfer: readonly ArrayBuffer[] = [],
  ): { readonly id: number; readonly answer: Promise<WriterCalls[Name]['gives']> } {
    const id = (this.#lastId += 1);
    if (this.#end !== undefined) return { id, answer: Promise.reject(this.#end) };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject });
    this.#worker.postMessage({ id, name, args }, transfer);
    return { id, answer: promise as Promise<WriterCalls[Name]['gives']> };
  }

  /** Waits until the thread has finished its calls, closed its connection and ended. */
  async close(): Promise<void> {
    if (this.#end === undefined) await this.call('close', undefined);
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
