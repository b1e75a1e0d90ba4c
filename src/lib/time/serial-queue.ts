/** Runs work one after the other, in the order of the calls. Work that fails does not hinder the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when the work so far has ended. It never rejects. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

/** Runs some pieces of work at once. The others wait in the order of the calls. */
export class ParallelQueue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param max the number of pieces of work that run at once. */
  constructor(max: number) {
    this.#free = max;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
