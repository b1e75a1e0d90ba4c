import { timerMsMax } from './wait.ts';

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
    this.#timer = setTimeout(
      () => {
        this.#hasPassed = true;
        this.#controller.abort();
      },
      Math.min(ms, timerMsMax),
    );
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
