import type { PushResult, PushedBody } from '../../domain/quotes/push-report.ts';
import { lineFields } from '../handler/peer-fields.ts';
import { jsonDraft, textDraft } from '../handler/response.ts';
import { RouteTable } from '../handler/route-table.ts';
import type { Route } from '../handler/request.ts';
import { updates } from './updates.ts';

/** The metrics, in the format of their registry. */
export interface MetricsText {
  readonly contentType: string;
  metrics(): Promise<string>;
}

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

/** What the paths of the private listener work with. */
export interface PrivateRoutesParts {
  /** The id of the running service, shown in `/healthz`. */
  readonly instance: string;
  /** Takes the updates of a body, and reports what became of them. */
  readonly push: (body: PushedBody) => Promise<PushResult>;
  readonly metrics: MetricsText;
  readonly readiness: () => Readiness;
  /** What this node knows of the history of its database. Absent where there is one node. */
  readonly lineage?: (() => string | undefined) | undefined;
  /** Maximum length of a body of updates in bytes, compressed or not. */
  readonly updatesBodyBytesMax: number;
}

/** The checks that have a path of their own, for balancers and probes. */
export const checksWithPath = ['reads', 'updates', 'writer'] as const;

/** Builds the paths of the private listener. */
export function privateRoutes(parts: PrivateRoutesParts): RouteTable {
  const { instance, metrics, readiness, lineage } = parts;
  const routes: readonly Route[] = [
    updates({ push: parts.push, bytesMax: parts.updatesBodyBytesMax }),
    {
      method: 'GET',
      path: '/metrics',
      scope: 'metrics',
      respond: async () =>
        textDraft(200, { type: metrics.contentType, text: await metrics.metrics() }),
    },
    readyz(readiness),
    ...checksWithPath.map((name) => readyzCheck(name, readiness)),
    {
      method: 'GET',
      path: '/healthz',
      scope: undefined,
      isHealthCheck: true,
      respond: () =>
        jsonDraft(JSON.stringify({ status: 'ok', instance }), 200, lineFields(lineage?.())),
    },
  ];
  return new RouteTable(routes, '');
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

/** One check: 200 if it is fine, else 503 with the reason. A balancer finds the node that writes by `updates`. */
function readyzCheck(name: string, readiness: () => Readiness): Route {
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
