import { once } from 'node:events';

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
