/** The longest time of a timer, in milliseconds: 24.8 days. A longer one would end at once. */
export const timerMsMax = 2 ** 31 - 1;

/**
 * A signal that is aborted by the signal of the caller, or after a time. `AbortSignal.any` and
 * `AbortSignal.timeout` would keep their listener and their timer until the end of the time.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.#caller?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasPassed = false;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted === true) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time has passed. */
  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  /** Starts the time, or starts it anew. */
  start(ms: number): void {
    this.pause();
    this.#timer = setTimeout(() => this.expire(), Math.min(ms, timerMsMax));
  }

  /** Lets the time pass now. */
  expire(): void {
    this.#hasPassed = true;
    this.#controller.abort();
  }

  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Forgets the signal of the caller and stops the time. */
  end(): void {
    this.pause();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}
