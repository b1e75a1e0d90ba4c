import { writevSync } from 'node:fs';

/** Time after which a write to a full pipe is retried, in milliseconds. */
const retryMs = 20;

/**
 * Writes text to a file descriptor without ever waiting for its reader.
 *
 * Text is written at once, so that the last lines before a crash are not lost in a buffer. Text that
 * does not fit into a full pipe is queued. When `bytesMax` would be exceeded, further text is dropped
 * and counted. When the queue is empty again, `onDropped` is called with the number of dropped texts.
 *
 * A pipe or socket must be in non-blocking mode.
 */
export class BoundedOutput {
  readonly #fd: number;
  readonly #bytesMax: number;
  readonly #onDropped: (count: number) => void;
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  #dropped = 0;
  #droppedSinceReport = 0;
  #isBroken = false;
  #onEmpty: (() => void)[] = [];

  constructor(
    fd: number,
    own: { readonly bytesMax: number; readonly onDropped: (count: number) => void },
  ) {
    this.#fd = fd;
    this.#bytesMax = own.bytesMax;
    this.#onDropped = own.onDropped;
  }

  /** Number of texts that were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#isBroken || this.#queuedBytes + bytes.length > this.#bytesMax) {
      this.#dropped += 1;
      this.#droppedSinceReport += 1;
      return;
    }
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    // While a retry is scheduled, the pipe is full and earlier text is queued.
    if (this.#retry === undefined) this.#writeQueue();
  }

  /** Resolves when the queue is empty, or after `msMax` milliseconds. */
  async flush(msMax: number): Promise<void> {
    if (this.#queuedBytes === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty.push(resolve);
    const late = setTimeout(resolve, msMax);
    await promise;
    clearTimeout(late);
  }

  /** Writes as much of the queue as the pipe takes without waiting. Called when the process ends. */
  end(): void {
    this.#takeAll();
  }

  #writeQueue(): void {
    this.#retry = undefined;
    if (!this.#takeAll()) {
      // Queued text does not keep the process alive.
      this.#retry = setTimeout(() => this.#writeQueue(), retryMs).unref();
      return;
    }
    for (const resolve of this.#onEmpty.splice(0)) resolve();
    const count = this.#droppedSinceReport;
    this.#droppedSinceReport = 0;
    if (count > 0 && !this.#isBroken) this.#onDropped(count);
  }

  /** Writes until the queue is empty or the pipe is full. Returns whether the queue is empty. */
  #takeAll(): boolean {
    while (this.#queuedBytes > 0) {
      try {
        this.#forget(writevSync(this.#fd, this.#queue));
      } catch (fault) {
        if ((fault as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // The reader is gone. This was the output for logs, so the failure cannot be reported.
        this.#isBroken = true;
        this.#queue.length = 0;
        this.#queuedBytes = 0;
      }
    }
    return true;
  }

  /** Takes the first bytes of the queue away. */
  #forget(written: number): void {
    this.#queuedBytes -= written;
    let whole = 0;
    let left = written;
    for (const { length } of this.#queue) {
      if (length > left) break;
      left -= length;
      whole += 1;
    }
    this.#queue.splice(0, whole);
    const [first] = this.#queue;
    if (first !== undefined) this.#queue[0] = first.subarray(left);
  }
}
