import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';
import type { MetricsText } from '../../http/private/metrics.ts';
import type { MetricsJson } from './messages.ts';
import type { Workers } from './workers.ts';

/**
 * How metrics are added up whose library would do it otherwise, or leave them out: the whole is as old
 * as its oldest process, and a request may have to wait as long as in the busiest.
 */
const otherwise: Readonly<Record<string, MetricsJson[number]['aggregator']>> = {
  process_start_time_seconds: 'min',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
};

/** What is counted over time: gone with its process it would be missing. */
const counted: ReadonlySet<string> = new Set(['counter', 'histogram']);

/** The metrics of all processes, each added up as its meaning is. */
export class SummedMetrics implements MetricsText {
  readonly #own: Registry;
  readonly #workers: Pick<Workers, 'metrics' | 'onGone'>;
  /**
   * What processes that are gone had counted when they last told. Without it sums would fall, which a
   * reader takes for a restart of them all.
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
    metrics.map((one) => ({ ...one, aggregator: otherwise[one.name] ?? one.aggregator })),
  );
  return AggregatorRegistry.aggregate(named);
}
