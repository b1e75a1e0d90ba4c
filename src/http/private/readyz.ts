import { jsonDraft } from '../handler/response-draft.ts';
import type { Route } from '../handler/visit.ts';

/** The state of one thing that the service depends on. */
export interface ReadinessCheck {
  readonly ok: boolean;
  /** False for a fault that leaves the service fit for clients. By default a fault does not. */
  readonly blocks?: boolean;
  /** For people. */
  readonly reason: string;
  /** The single cases of the reason, if there may be several. */
  readonly cases?: readonly string[];
}

/** The state of everything that the service depends on, by name. */
export type Readiness = Readonly<Record<string, ReadinessCheck>>;

/** The checks that have a path of their own, for balancers and probes. */
export const checksWithPath = ['reads', 'updates', 'writer'] as const;

/** One check: 200 if it is fine, else 503 with the reason. A balancer finds the node that writes by `updates`. */
export function readyzCheck(name: string, readiness: () => Readiness): Route {
  return {
    method: 'GET',
    path: `/readyz/${name}`,
    scope: undefined,
    respond: () => {
      const { ok = false, reason = 'this node has no such check' } = readiness()[name] ?? {};
      return jsonDraft(JSON.stringify({ ok, reason }), ok ? 200 : 503);
    },
  };
}

/** Whether the service should get clients: 200 if no check that blocks fails, else 503, with every reason. */
export function readyz(readiness: () => Readiness): Route {
  return {
    method: 'GET',
    path: '/readyz',
    scope: undefined,
    respond: () => {
      const checks = readiness();
      const isReady = Object.values(checks).every(({ ok, blocks = true }) => ok || !blocks);
      const shown = Object.entries(checks).map(([name, { ok, reason, cases }]) => [
        name,
        { ok, reason, ...(cases && { cases }) },
      ]);
      const status = isReady ? 'ready' : 'not-ready';
      const body = JSON.stringify({ status, checks: Object.fromEntries(shown) });
      return jsonDraft(body, isReady ? 200 : 503);
    },
  };
}
