import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { printError } from './print.ts';

/** A terminal that can be read without showing what is typed. */
export type SecretInput = Readable & { setRawMode(isRaw: boolean): unknown };

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
