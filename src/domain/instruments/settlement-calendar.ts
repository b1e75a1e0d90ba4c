import { SessionCalendar } from '../calendar/session-calendar.ts';
import type { Universe } from './universe.ts';

/** The market on whose business days local trades are settled, and by which lags of indices are counted. */
const settlementMarket = 'BYMA';

/** The business days of settlements. Undefined in a universe without the market. */
export function settlementCalendar({
  markets,
}: Pick<Universe, 'markets'>): SessionCalendar | undefined {
  const market = markets.get(settlementMarket);
  return market && new SessionCalendar(market);
}
