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
