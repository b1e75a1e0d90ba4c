import type { PlainDate } from './plain-date.ts';
import type { SessionCalendar } from './session-calendar.ts';

/** What a market is doing at an instant. */
export interface MarketState {
  readonly code: string;
  readonly name: string;
  readonly state: 'open' | 'closed';
  /** The session under way; while the market is closed, the last one. */
  readonly sessionDate: PlainDate;
  /** When the market closes or, while it is closed, opens, in epoch milliseconds. */
  readonly changesAt: number;
}

/** The state of a calendar's market at an instant in epoch milliseconds. */
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
