import { systemClock } from '../../lib/time/clock.ts';

/** Minimum time between two updates of the line, in milliseconds. */
const redrawMs = 100;

/** A line of a terminal that is rewritten with the progress of a command. */
export class ProgressLine {
  readonly #terminal: NodeJS.WriteStream;
  #drawnAt = Number.NEGATIVE_INFINITY;

  private constructor(terminal: NodeJS.WriteStream) {
    this.#terminal = terminal;
  }

  /** Undefined where the stream is not a terminal. */
  static on(stream: NodeJS.WriteStream): ProgressLine | undefined {
    return stream.isTTY ? new ProgressLine(stream) : undefined;
  }

  /** Shows a line, which is only built if the last one has been shown long enough. */
  show(line: () => string): void {
    const now = systemClock.monotonic();
    if (now - this.#drawnAt < redrawMs) return;
    this.#drawnAt = now;
    this.#terminal.write(`\r\u001b[K${line().slice(0, this.#terminal.columns - 1)}`);
  }

  clear(): void {
    if (this.#drawnAt > Number.NEGATIVE_INFINITY) this.#terminal.write('\r\u001b[K');
  }
}
