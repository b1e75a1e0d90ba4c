import type { PushResult, PushedBody } from '../../domain/quotes/push-report.ts';
import { RouteTable } from '../handler/route-table.ts';
import { healthz } from './healthz.ts';
import { metrics, type MetricsText } from './metrics.ts';
import { checksWithPath, readyz, readyzCheck, type Readiness } from './readyz.ts';
import { updates } from './updates.ts';

/** What the paths of the private listener work with. */
export interface PrivateTableParts {
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

/** Builds the paths of the private listener. */
export function privateTable(parts: PrivateTableParts): RouteTable {
  const routes = [
    updates({ push: parts.push, bytesMax: parts.updatesBodyBytesMax }),
    metrics(parts.metrics),
    readyz(parts.readiness),
    ...checksWithPath.map((name) => readyzCheck(name, parts.readiness)),
    healthz(parts.instance, parts.lineage ?? (() => undefined)),
  ];
  return new RouteTable(routes, '');
}
