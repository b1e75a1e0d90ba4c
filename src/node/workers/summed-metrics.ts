import { AggregatorRegistry, type Registry } from 'prom-client';
import type { MetricsText } from '../../http/private/routes.ts';
import type { MetricsJson } from './channel.ts';
import type { Workers } from './workers.ts';

/**
 * Metrics that are not combined by the default of the library. The start time of the service is that of
 * its oldest process, and its event-loop lag is that of its busiest process.
 */
const aggregators: Readonly<Record<string, MetricsJson[number]['aggregator']>> = {
  process_start_time_seconds: 'min',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
};

/** The types of metrics whose values must be preserved when their process ends. */
const counted: ReadonlySet<string> = new Set(['counter', 'histogram']);

/** The metrics of all processes, combined by the meaning of each metric. */
export class SummedMetrics implements MetricsText {
  readonly #own: Registry;
  readonly #workers: Pick<Workers, 'metrics' | 'onGone'>;
  /**
   * The last counters of processes that have ended. Without them the sums would decrease, which
   * Prometheus takes for a restart of the service.
   */
  #gone: Promise<MetricsJson> = Promise.resolve([]);

  constructor(own: Registry, workers: Pick<Workers, 'metrics' | 'onGone'>) {
    this.#own = own;
    this.#workers = workers;
    workers.onGone((last) => {
      this.#gone = this.#gone.then((gone) =>
        sum([gone, last.filter(({ type }) => counted.has(String(type)))]).getMetricsAsJSON(),
      );
    });
  }

  get contentType(): string {
    return this.#own.contentType;
  }

  async metrics(): Promise<string> {
    const live = await this.#workers.metrics();
    const gone = await this.#gone;
    if (live.length === 0 && gone.length === 0) return this.#own.metrics();
    return sum([await this.#own.getMetricsAsJSON(), ...live, gone]).metrics();
  }
}

function sum(processes: readonly MetricsJson[]): Registry {
  const named = processes.map((metrics) =>
    metrics.map((one) => ({ ...one, aggregator: aggregators[one.name] ?? one.aggregator })),
  );
  return AggregatorRegistry.aggregate(named);
}
