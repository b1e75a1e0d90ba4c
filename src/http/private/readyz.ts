import { jsonAnswer } from '../exchange/answer.ts';
import type { Route } from '../exchange/route.ts';

/** The state of one thing that the service depends on. */
export interface ReadinessCheck {
  readonly ok: boolean;
  /** For people. */
  readonly reason: string;
}

/** The state of everything that the service depends on, by name. */
export type Readiness = Readonly<Record<string, ReadinessCheck>>;

/** Whether the service should get clients: 200 if every check is ok, else 503, with every reason. */
export function readyz(readiness: () => Readiness): Route {
  return {
    method: 'GET',
    path: '/readyz',
    scope: undefined,
    answer: () => {
      const checks = readiness();
      const isReady = Object.values(checks).every(({ ok }) => ok);
      const body = JSON.stringify({ status: isReady ? 'ready' : 'not-ready', checks });
      return jsonAnswer(body, isReady ? 200 : 503);
    },
  };
}
