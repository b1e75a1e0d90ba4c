import { once } from 'node:events';

import { printError } from './print.ts';

/** The exit code after SIGINT: 128 and the number of the signal, as in a shell. */
export const exitInterrupted = 130;

/** A signal that is aborted by the first SIGINT, until disposed. A second one ends the process. */
export function interruptSignal(): Disposable & { readonly signal: AbortSignal } {
  const interrupt = new AbortController();
  const listening = new AbortController();
  void once(process, 'SIGINT', { signal: listening.signal }).then(
    () => interrupt.abort(),
    () => undefined,
  );
  return { signal: interrupt.signal, [Symbol.dispose]: () => listening.abort() };
}

/** Until disposed, the first SIGINT prints a text to standard error, and then ends the process. */
export function sayOnInterrupt(text: () => string): Disposable {
  const say = (): void => {
    printError(`${text()}\n`);
    // Without a listener, the signal ends the process as if it had never had one.
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', say);
  return { [Symbol.dispose]: () => process.off('SIGINT', say) };
}
