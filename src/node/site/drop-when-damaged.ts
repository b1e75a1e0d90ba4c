import type { Universe } from '../../domain/instruments/universe.ts';
import type { HistoryChanges } from '../../store/contract/history-store.ts';
import type { StoreDamage } from '../../store/contract/store-fault.ts';

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
