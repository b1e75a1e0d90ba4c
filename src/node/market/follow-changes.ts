import { repeat } from '../../lib/time/repeat.ts';
import type { StoreHints } from '../../store/contract/store.ts';

/** How often the store is polled for changes of the history, the actions and the indices, in milliseconds. */
const historyPollMs = 250;

/**
 * Reads changes of the history, of the actions and of the indices until disposed: periodically, and at once when the
 * store hints at one.
 */
export function followChanges(
  catchUp: () => Promise<void>,
  { hints, onFault }: { readonly hints: StoreHints; readonly onFault: (fault: unknown) => void },
): AsyncDisposable {
  const following = repeat(catchUp, { pauseMs: historyPollMs, onFault });
  const hinted = hints.subscribe((what) => {
    if (what === 'history' || what === 'actions' || what === 'indices') following.wake();
  });
  return {
    [Symbol.asyncDispose]: async () => {
      hinted[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}
