import { sendJson } from '../answer.ts';
import type { PrivateRoute } from './private-route.ts';

/** Whether one thing that serving depends on is well. */
export interface ReadinessCheck {
  readonly ok: boolean;
  /** For people. */
  readonly reason: string;
}

/** All that serving depends on, by name. */
export type Readiness = Readonly<Record<string, ReadinessCheck>>;

/** Whether the service should be sent clients: 200 when all is well, else 503, with every reason. */
export function readyzRoute({ readiness }: { readonly readiness: () => Readiness }): PrivateRoute {
  return {
    method: 'GET',
    path: '/readyz',
    scope: undefined,
    handle: (_request, reply) => {
      const checks = readiness();
      const isReady = Object.values(checks).every(({ ok }) => ok);
      const body = JSON.stringify({ status: isReady ? 'ready' : 'not-ready', checks });
      return sendJson(reply.code(isReady ? 200 : 503), body);
    },
  };
}

/** Whether the process is alive, and which service this is. */
export function privateHealthzRoute({ instance }: { readonly instance: string }): PrivateRoute {
  return {
    method: 'GET',
    path: '/healthz',
    scope: undefined,
    handle: (_request, reply) => sendJson(reply, JSON.stringify({ status: 'ok', instance })),
  };
}
