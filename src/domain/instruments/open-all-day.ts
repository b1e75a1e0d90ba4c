import type { Market, SessionHours } from '../calendar/market.ts';
import { Universe } from './universe.ts';

const everyDay: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7]);
const wholeDay: readonly SessionHours[] = [{ openMinute: 0, closeMinute: 1440 }];

/**
 * A universe whose markets are open all day, every day: a session is a calendar day of Buenos Aires. So
 * prices that move at any hour, as those of a demonstration do, always have a session, and every part of
 * the service that asks a calendar gives the same answer (contract 2.6.6).
 */
export function openAllDay(universe: Universe): Universe {
  const markets = new Map(
    Array.from(universe.markets, ([code, { name }]): [string, Market] => [
      code,
      {
        code,
        name,
        timeZone: 'America/Argentina/Buenos_Aires',
        weekdays: everyDay,
        hours: wholeDay,
        holidays: new Map(),
        unsettled: new Set(),
        earlyCloses: new Map(),
      },
    ]),
  );
  const { instruments, panels, derived, bondTerms } = universe;
  return new Universe({ instruments, markets, panels, derived, bondTerms });
}
