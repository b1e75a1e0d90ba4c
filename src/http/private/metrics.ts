import type { PrivateRoute } from './private-route.ts';

/** The metrics, in whatever form their registry writes them. */
export interface MetricsText {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** The metrics, for a key of the scope `metrics`: the numbers of a market are nobody else's. */
export function metricsRoute({ metrics }: { readonly metrics: MetricsText }): PrivateRoute {
  return {
    method: 'GET',
    path: '/metrics',
    scope: 'metrics',
    handle: async (_request, reply) =>
      reply.header('content-type', metrics.contentType).send(await metrics.metrics()),
  };
}
