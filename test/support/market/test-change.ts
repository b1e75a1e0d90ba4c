import type { StoreChange } from '../../../src/domain/changes/version.ts';
import type { ChangeStamp } from '../../../src/store/contract/history-store.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { clockAt } from './clock-at.ts';

/** A change of a test to which it does not matter when the store was changed, and by what. */
export const testChange: StoreChange = { at: Date.UTC(2026, 0, 2, 15), origin: 'import' };

/** A change at an instant. */
export function changeAt(at: number): StoreChange {
  return { ...testChange, at };
}

/** As {@link testChange}, for a transaction of history. */
export const testStamp: ChangeStamp = { origin: testChange.origin, now: () => testChange.at };

/** A clock that stands still at that instant. */
export const testClock: Clock = clockAt(() => testChange.at);
