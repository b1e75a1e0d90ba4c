import { repeat } from '../../lib/time/repeat.ts';
import type { StoreHints } from '../../store/contract/store.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { HistoryChanges } from '../../store/contract/history-store.ts';
import type { StoreDamage } from '../../store/contract/store-fault.ts';

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

/**
 * Drops every cached series when damage is found in the store. From then on the store refuses closes and bars,
 * and no response depends on whether it was cached before.
 */
export function dropWhenDamaged({
  damage,
  historyChanges,
  universe,
}: {
  readonly damage: StoreDamage;
  readonly historyChanges: HistoryChanges;
  readonly universe: Universe;
}): Disposable {
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  return damage.onFound(() => historyChanges.publish(tickers));
}
