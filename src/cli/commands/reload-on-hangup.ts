import type { Log } from '../../lib/reports/log.ts';

/**
 * Reloads on SIGHUP, one reload after the other. Signals during a reload cause one more reload. It is
 * created before the service starts, because SIGHUP must not end a starting program. A signal before
 * {@link begin} causes a reload at {@link begin}.
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

  /** Starts to handle signals. */
  begin(reload: () => Promise<void>): void {
    this.#reload = reload;
    void this.#run();
  }

  /** Ignores further signals, because the service is stopping. */
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
        // The message of a fault tells the operator what to do.
        const reason = fault instanceof Error ? fault.message : String(fault);
        this.#log.error({ err: fault, reason }, 'configuration not reloaded, nothing changed');
      }
    }
    this.#isRunning = false;
  }

  [Symbol.dispose](): void {
    this.end();
    process.removeListener('SIGHUP', this.#onSignal);
  }
}
