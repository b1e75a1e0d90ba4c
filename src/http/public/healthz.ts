import { MarketCalendars } from '../../domain/market-calendars.ts';
import { marketStateAt } from '../../domain/market-state.ts';
import type { Universe } from '../../domain/universe.ts';
import { healthJson } from '../../wire/health-body.ts';
import { jsonAnswer } from '../exchange/answer.ts';
import type { Route } from '../exchange/route.ts';

/**
 * Whether the process is running. The body adds public facts: the id of the service, which markets are
 * open, the service's time, and whether the prices are simulated.
 */
export function healthz({
  universe,
  instance,
  isSimulated,
  dataAgeMs,
}: {
  readonly universe: Universe;
  /** The id of the running service. */
  readonly instance: string;
  readonly isSimulated: boolean;
  /** Time since the store last confirmed the quotes. Absent where they are not replicated. */
  readonly dataAgeMs?: (() => number) | undefined;
}): Route {
  const calendars = [...new MarketCalendars(universe).byMarket.values()];
  return {
    method: 'GET',
    path: '/healthz',
    scope: undefined,
    isHealthCheck: true,
    answer: ({ now }) => {
      const markets = calendars.map((calendar) => marketStateAt(calendar, now));
      return jsonAnswer(
        healthJson({ now, instance, markets, isSimulated, dataAgeMs: dataAgeMs?.() }),
      );
    },
  };
}
