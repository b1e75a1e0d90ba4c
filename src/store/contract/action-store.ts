import type { ActionType, CorporateAction } from '../../domain/history/corporate-action.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { StoreChange } from '../../domain/changes/version.ts';
import type { ActionVersion } from '../../domain/history/versions.ts';
import type { Revisioned } from './revisioned.ts';

/** What names one corporate action. */
interface ActionKey {
  readonly ticker: Ticker;
  readonly exDay: EpochDay;
  readonly type: ActionType;
}

/** Stores corporate actions. Every method may reject with a {@link StoreFault}. */
export interface ActionStore extends Revisioned {
  /** All actions, ascending by ticker, ex date and type, and the revision that they are of. */
  readAll(): Promise<{ readonly revision: number; readonly actions: readonly CorporateAction[] }>;

  /**
   * Adds actions, replaces those of the same key, and removes others, in one transaction. When the
   * promise resolves, the change survives a power failure. An equal action is not a change. No key may
   * be in both lists. What is replaced or removed is kept ({@link StoreMemory}).
   *
   * @param by the instant and the origin of the change.
   * @returns the keys whose actions have changed
   */
  apply(
    change: {
      readonly put: readonly CorporateAction[];
      readonly remove: readonly ActionKey[];
    },
    by: StoreChange,
  ): Promise<readonly ActionKey[]>;

  /**
   * Stores all actions as they are, with their memory, in one transaction: those of a copy. What is stored
   * already is replaced, and nothing of it is kept.
   */
  restore(versions: readonly ActionVersion[]): Promise<void>;
}
