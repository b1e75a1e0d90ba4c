import { Counter, Gauge, type Registry } from 'prom-client';
import type { RateLimits } from '../../http/admission/rate-limits.ts';

/** Measures the rate limits of clients. The values are read when the metrics are requested. */
export function measureRateLimits(registry: Registry, rateLimits: RateLimits): void {
  registry.registerMetric(
    new Counter({
      name: 'pizarra_rate_limited_total',
      help: 'Requests that exceeded a rate limit, by limit.',
      labelNames: ['limit'],
      registers: [],
      collect() {
        this.reset();
        const { keys, addresses } = rateLimits.refused;
        this.inc({ limit: 'key' }, keys);
        this.inc({ limit: 'failures' }, addresses);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'pizarra_rate_limit_clients',
      help: 'Keys and groups of addresses whose requests are counted, by limit.',
      labelNames: ['limit'],
      registers: [],
      collect() {
        const { keys, addresses } = rateLimits.remembered;
        this.set({ limit: 'key' }, keys);
        this.set({ limit: 'failures' }, addresses);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'pizarra_rate_limit_nodes',
      help: 'Number of nodes among which the limit of each key is divided.',
      // Every process of a node counts the same nodes.
      aggregator: 'max',
      registers: [],
      collect() {
        this.set(rateLimits.parts);
      },
    }),
  );
}
