/** Maximum time of an opening, in milliseconds: that of a take-over. */
const openingMsMax = 2_500;

/**
 * The time in which a market may be about to open. It ends when this is disposed, at the latest after some
 * seconds.
 */
export class Opening implements Disposable {
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #limit: NodeJS.Timeout;
  #isOver = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#limit = setTimeout(() => this[Symbol.dispose](), openingMsMax).unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#limit);
    this.#end();
  }
}
