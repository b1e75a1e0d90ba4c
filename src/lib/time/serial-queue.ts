/** Runs work one after the other, in the order of the calls. Work that fails does not hinder the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #length = 0;

  /** The number of pieces of work that run or wait. */
  get length(): number {
    return this.#length;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#length += 1;
    const turn = this.#last.then(work);
    this.#last = turn
      .catch(() => undefined)
      .finally(() => {
        this.#length -= 1;
      });
    return turn;
  }

  /** Resolves when the work so far has ended. It never rejects. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

/** The queue with the least work, of several that run side by side. */
export function shortestOf(queues: readonly [SerialQueue, ...SerialQueue[]]): SerialQueue {
  return queues.reduce((shortest, one) => (one.length < shortest.length ? one : shortest));
}
