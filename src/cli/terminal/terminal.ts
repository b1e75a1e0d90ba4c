import { systemClock } from '../../lib/time/clock.ts';
import { printError } from './print.ts';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

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

/** A terminal that can be read without showing what is typed. */
type SecretInput = Readable & { setRawMode(isRaw: boolean): unknown };

const [interruptKey, endKey, backspace, deleteKey] = ['\u0003', '\u0004', '\b', '\u007F'];

/**
 * Asks for a line on the terminal, and shows nothing of what is typed.
 *
 * @throws the reason of the signal if it aborts, and after Ctrl-C, which sends SIGINT to the process.
 */
export async function askSecret(
  question: string,
  signal: AbortSignal,
  input: SecretInput = process.stdin,
): Promise<string> {
  signal.throwIfAborted();
  printError(question);
  input.setRawMode(true);
  try {
    return await readLine(input, signal);
  } finally {
    input.setRawMode(false);
    input.pause();
    printError('\n');
  }
}

function readLine(input: SecretInput, signal: AbortSignal): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  return new Promise((resolve, reject) => {
    const onAbort = (): void => settle(() => reject(signal.reason as Error));
    const onEnd = (): void => settle(() => resolve(line));
    const onData = (chunk: Buffer): void => {
      for (const key of decoder.write(chunk)) {
        if (key === '\r' || key === '\n' || key === endKey) {
          onEnd();
          return;
        }
        // In raw mode, the terminal leaves the signal to the program.
        if (key === interruptKey) process.kill(process.pid, 'SIGINT');
        else if (key === backspace || key === deleteKey) line = line.slice(0, -1);
        else line += key;
      }
    };
    const settle = (end: () => void): void => {
      input.off('data', onData).off('end', onEnd);
      signal.removeEventListener('abort', onAbort);
      end();
    };
    signal.addEventListener('abort', onAbort);
    input.on('data', onData).on('end', onEnd);
  });
}
