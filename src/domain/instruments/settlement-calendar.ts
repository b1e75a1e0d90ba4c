import { SessionCalendar } from '../calendar/session-calendar.ts';
import type { Universe } from './universe.ts';

/**
 * The markets that settle through the banks of Argentina, the first of them that a universe has. Local trades
 * settle, lags of indices are counted, and the central bank publishes on their settlement days.
 */
const settlementMarkets = ['BYMA', 'BCRA'] as const;

/** The settlement days of Argentina. Undefined in a universe without a market that has them. */
export function settlementCalendar({
  markets,
}: Pick<Universe, 'markets'>): SessionCalendar | undefined {
  const market = settlementMarkets
    .map((code) => markets.get(code))
    .find((one) => one !== undefined);
  return market && new SessionCalendar(market);
}
