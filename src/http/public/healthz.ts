import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { marketStateAt } from '../../domain/calendar/market-state.ts';
import { healthJson } from '../../wire/bodies/health-body.ts';
import { jsonDraft, retryAfter } from '../handler/response.ts';
import { followerField, lineFields, originFields } from '../handler/peer-fields.ts';
import type { Route } from '../handler/request.ts';
import type { PathParts } from './path-parts.ts';

/** When a balancer may ask a node that is behind again, in seconds. */
const comeBack = [retryAfter(1)];

/** What the state of a service is made of. */
export interface HealthParts extends Pick<PathParts, 'universe' | 'sources'> {
  /** The id of the running service. */
  readonly instance: string;
  readonly isSimulated: boolean;
  /** Time since the store last confirmed the quotes, in milliseconds. Absent where they are not replicated. */
  readonly dataAgeMs?: (() => number) | undefined;
  /** Whether another node reads the store, and this one cannot. Absent where there is one node. */
  readonly isBehind?: (() => boolean) | undefined;
  /** What the node knows of the history of its database, for other nodes. Absent where there is one node. */
  readonly lineage?: (() => string | undefined) | undefined;
  /** The ids of the services that this one follows. Absent for none. */
  readonly origins?: (() => readonly string[]) | undefined;
}

/**
 * Whether the process is running, and whether a balancer should use it: 503 on a node that is behind the others
 * (contract 7.3). The body adds public facts: the id of the service, which markets are open, the service's
 * time, whether the prices are simulated, why no source gives any, and which sources are stale.
 */
export function healthz({
  universe,
  instance,
  isSimulated,
  dataAgeMs,
  isBehind,
  lineage,
  sources,
  origins,
}: HealthParts): Route {
  const calendars = [...new MarketCalendars(universe).byMarket.values()];
  return {
    method: 'GET',
    path: '/healthz',
    scope: undefined,
    isHealthCheck: true,
    respond: ({ now, request }) => {
      const markets = calendars.map((calendar) => marketStateAt(calendar, now));
      const behind = isBehind?.() ?? false;
      const body = healthJson({
        now,
        instance,
        markets,
        isSimulated,
        dataAgeMs: dataAgeMs?.(),
        isBehind: behind,
        sources: sources?.(),
      });
      const isFollower = request.headers[followerField] !== undefined;
      const asked = isFollower ? originFields(origins?.() ?? []) : [];
      const fields = [...lineFields(lineage?.()), ...asked];
      return behind ? jsonDraft(body, 503, [...comeBack, ...fields]) : jsonDraft(body, 200, fields);
    },
  };
}
