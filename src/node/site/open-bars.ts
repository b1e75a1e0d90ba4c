import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { SimulatedMinutes } from '../../feeds/simulated/simulated-minutes.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { ContinuedBars } from '../../store/continued/continued-history.ts';
import type { Store } from '../../store/contract/store.ts';
import { DemonstrationBars } from './demonstration-bars.ts';
import { demonstration } from './demonstration.ts';

/** The bars that a site shows: of instruments whose ticker has changed, those of the earlier ticker too. */
export function openBars({
  store,
  actions,
  universe,
  sessions,
  demonstrationSince,
}: {
  readonly store: Pick<Store, 'bars' | 'history'>;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  readonly universe: Universe;
  /** Number of sessions of each instrument whose bars are kept. */
  readonly sessions: number;
  /** For a demonstration, the instant from which on it records bars, in epoch milliseconds. */
  readonly demonstrationSince: number | undefined;
}): BarReader {
  if (demonstrationSince === undefined || sessions === 0) {
    return new ContinuedBars(store.bars, actions);
  }
  return new DemonstrationBars({
    stored: store.bars,
    history: store.history,
    minutes: new SimulatedMinutes(universe, demonstration.seed),
    startedAt: demonstrationSince,
  });
}
