import { Counter, Gauge, type Registry } from 'prom-client';

/** A counter of events. */
export function counter<Label extends string = never>(
  registry: Registry,
  name: `${string}_total`,
  help: string,
  ...labelNames: Label[]
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

/** The values of a metric, each with its labels. */
export type Readings = Iterable<
  readonly [value: number, labels?: Readonly<Record<string, string | number>>]
>;

/**
 * A metric that is read when the metrics are requested. By the convention of Prometheus, it is a counter if its name
 * ends in `_total`, else a gauge.
 */
export function readMetric(
  registry: Registry,
  {
    name,
    help,
    labelNames = [],
    aggregator = 'sum',
  }: {
    readonly name: string;
    readonly help: string;
    readonly labelNames?: string[];
    /** How the values of several processes are combined. */
    readonly aggregator?: 'sum' | 'max';
  },
  read: () => Readings,
): void {
  const about = { name, help, labelNames, aggregator, registers: [] };
  const metric = name.endsWith('_total')
    ? new Counter({
        ...about,
        collect() {
          this.reset();
          for (const [value, labels = {}] of read()) this.inc(labels, value);
        },
      })
    : new Gauge({
        ...about,
        collect() {
          this.reset();
          for (const [value, labels = {}] of read()) this.set(labels, value);
        },
      });
  registry.registerMetric(metric);
}
