import { systemClock } from '../../lib/time/clock.ts';
import { printError } from './print.ts';

/** The exit code after SIGINT: 128 and the number of the signal, as in a shell. */
export const exitInterrupted = 130;

/** Minimum time between two updates of the line of the progress, in milliseconds. */
const redrawMs = 100;

/** The terminal of a command: a line with its progress, which is rewritten, and SIGINT. What is changed is undone when disposed. */
export class Terminal implements Disposable {
  /** Undefined where standard error is not a terminal. */
  readonly #line = process.stderr.isTTY ? process.stderr : undefined;
  readonly #listeners: (() => void)[] = [];
  #drawnAt = Number.NEGATIVE_INFINITY;
  #interrupt: AbortController | undefined;

  /** Is aborted by the first SIGINT. Until it is read, and after the first one, SIGINT ends the process. */
  get signal(): AbortSignal {
    if (this.#interrupt === undefined) {
      const interrupt = new AbortController();
      this.#interrupt = interrupt;
      this.#onInterrupt(() => interrupt.abort());
    }
    return this.#interrupt.signal;
  }

  /** The first SIGINT prints a text to standard error, and then ends the process. */
  sayOnInterrupt(text: () => string): void {
    this.#onInterrupt(() => {
      this.clear();
      printError(`${text()}\n`);
      // Without a listener, the signal ends the process as if it had never had one.
      process.kill(process.pid, 'SIGINT');
    });
  }

  #onInterrupt(listener: () => void): void {
    process.once('SIGINT', listener);
    this.#listeners.push(listener);
  }

  /** Shows a line, which is only built if the last one has been shown long enough. */
  show(line: () => string): void {
    if (this.#line === undefined) return;
    const now = systemClock.monotonic();
    if (now - this.#drawnAt < redrawMs) return;
    this.#drawnAt = now;
    this.#line.write(`\r\u001b[K${line().slice(0, this.#line.columns - 1)}`);
  }

  clear(): void {
    if (this.#drawnAt > Number.NEGATIVE_INFINITY) this.#line?.write('\r\u001b[K');
  }

  /** Prints in the place of the line. */
  over(write: (text: string) => void): (text: string) => void {
    return (text) => {
      this.clear();
      write(text);
    };
  }

  [Symbol.dispose](): void {
    for (const listener of this.#listeners) process.off('SIGINT', listener);
  }
}
