import type { PlainDate } from './plain-date.ts';
import type { SessionCalendar } from './session-calendar.ts';

/** Whether a market is open at an instant, and when that changes. */
export interface MarketState {
  readonly code: string;
  readonly name: string;
  readonly state: 'open' | 'closed';
  /** The current session while the market is open; the last session while it is closed. */
  readonly sessionDate: PlainDate;
  /**
   * The next close while the market is open; the next open while it is closed. Epoch milliseconds.
   */
  readonly changesAt: number;
}

/** The state of a calendar's market at an instant, in epoch milliseconds. */
export function marketStateAt(calendar: SessionCalendar, epochMs: number): MarketState {
  const { code, name } = calendar.market;
  const state = calendar.stateAt(epochMs);
  const sessionDate = calendar.sessionAt(epochMs);
  const changesAt =
    state === 'open'
      ? calendar.closesAt(sessionDate)
      : calendar.opensAt(calendar.nextSession(sessionDate));
  return { code, name, state, sessionDate, changesAt };
}
