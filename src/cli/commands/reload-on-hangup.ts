import type { Log } from '../../lib/log.ts';

/**
 * Reloads whenever the process is told to by SIGHUP, one reload after the other; signals that come
 * while one is under way are one more. Made before the service starts, because an operator's signal
 * must not end a program that is just starting: what comes before {@link begin} waits for it.
 */
export class ReloadOnHangup implements Disposable {
  readonly #log: Log;
  #reload: (() => Promise<void>) | undefined;
  #isAsked = false;
  #isRunning = false;

  constructor(log: Log) {
    this.#log = log;
    process.on('SIGHUP', this.#onSignal);
  }

  /** From now on signals reload. */
  begin(reload: () => Promise<void>): void {
    this.#reload = reload;
    void this.#run();
  }

  /** From now on signals do nothing: whoever stops has nothing to reload. */
  end(): void {
    this.#reload = undefined;
  }

  readonly #onSignal = (): void => {
    this.#isAsked = true;
    void this.#run();
  };

  async #run(): Promise<void> {
    if (this.#isRunning || this.#reload === undefined) return;
    this.#isRunning = true;
    while (this.#isAsked && this.#reload !== undefined) {
      this.#isAsked = false;
      try {
        await this.#reload();
      } catch (fault) {
        // The sentences of a fault are for the operator, who looks for them in the log.
        const reason = fault instanceof Error ? fault.message : String(fault);
        this.#log.error({ err: fault, reason }, 'not reloaded; everything stays as it was');
      }
    }
    this.#isRunning = false;
  }

  [Symbol.dispose](): void {
    this.end();
    process.removeListener('SIGHUP', this.#onSignal);
  }
}
