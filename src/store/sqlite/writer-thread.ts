import { Worker } from 'node:worker_threads';

import { StoreFault } from '../store-fault.ts';
import type { WriteSideOptions } from './inline-write-side.ts';
import { unpackError } from './writer-protocol.ts';
import type { WriterCallName, WriterCalls, WriterReply } from './writer-protocol.ts';

/** Who waits for an answer. */
interface Waiter {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One life of the writing thread, seen from the thread that asks. Once it has ended, for whatever
 * reason, every call that waits and every later one is rejected as `unavailable`; whether what they
 * asked for was done is then not known, as after a loss of power.
 *
 * How many transactions may wait is limited by the queue in that thread.
 */
export class WriterThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #path: string;
  readonly #waiting = new Map<number, Waiter>();
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

  /** Whether it takes no more calls. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Asks for something and gives the answer; `transfer` is handed over instead of copied. */
  async call<Name extends WriterCallName>(
    name: Name,
    args: WriterCalls[Name]['args'],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<WriterCalls[Name]['gives']> {
    return this.begin(name, args, transfer).answer;
  }

  /** As {@link call}, for whoever needs the id by which the call goes on being known. */
  begin<Name extends WriterCallName>(
    name: Name,
    args: WriterCalls[Name]['args'],
    transfer: readonly ArrayBuffer[] = [],
  ): { readonly id: number; readonly answer: Promise<WriterCalls[Name]['gives']> } {
    const id = (this.#lastId += 1);
    if (this.#end !== undefined) return { id, answer: Promise.reject(this.#end) };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#worker.postMessage({ id, name, args }, transfer);
    return { id, answer: promise as Promise<WriterCalls[Name]['gives']> };
  }

  /** Lets it do what was asked for, close its connection, and end. */
  async close(): Promise<void> {
    if (this.#end === undefined) await this.call('close', undefined);
    await this.#exited;
  }

  /** Ends it at once, whatever it is doing. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.terminate();
  }

  #settle(reply: WriterReply): void {
    const waiter = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiter?.reject(unpackError(reply.error));
    else waiter?.resolve(reply.value);
  }

  #fail(cause: unknown): void {
    this.#end ??= new StoreFault('unavailable', `the thread that writes ${this.#path} has ended`, {
      cause,
    });
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }
}
