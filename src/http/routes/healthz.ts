import { marketStateAt } from '../../domain/market-state.ts';
import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Clock } from '../../lib/clock.ts';
import { healthJson } from '../../wire/health-body.ts';
import { sendJson } from '../answer.ts';
import type { PublicRoute } from '../public-route.ts';

/**
 * Whether the process is alive. The body adds what anyone may know: which service this is, which
 * markets are trading, the service's own time, and whether the prices are made up.
 */
export function healthzRoute({
  universe,
  clock,
  instance,
  isSimulated,
}: {
  readonly universe: Universe;
  readonly clock: Clock;
  /** The id of the running service. */
  readonly instance: string;
  readonly isSimulated: boolean;
}): PublicRoute {
  const calendars = Array.from(universe.markets.values(), (market) => new SessionCalendar(market));
  return {
    path: '/healthz',
    isOpen: true,
    handle: (_request, reply) => {
      const now = clock.now();
      const markets = calendars.map((calendar) => marketStateAt(calendar, now));
      return sendJson(reply, healthJson({ now, instance, markets, isSimulated }));
    },
  };
}
