import { SessionCalendar } from '../calendar/session-calendar.ts';
import type { Universe } from './universe.ts';

/** The market on whose business days local trades are settled, and by which lags of indices are counted. */
const settlementMarket = 'BYMA';

/** The market of the central bank and the banks, on whose business days rates are published. */
const publicationMarket = 'BCRA';

type Markets = Pick<Universe, 'markets'>;

/** The business days of settlements. Undefined in a universe without the market. */
export function settlementCalendar({ markets }: Markets): SessionCalendar | undefined {
  const market = markets.get(settlementMarket);
  return market && new SessionCalendar(market);
}

/** The business days on which the central bank publishes. In a universe without its market, those of settlements. */
export function publicationCalendar({ markets }: Markets): SessionCalendar | undefined {
  const market = markets.get(publicationMarket) ?? markets.get(settlementMarket);
  return market && new SessionCalendar(market);
}
