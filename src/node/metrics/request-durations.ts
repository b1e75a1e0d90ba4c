import type { Metric } from 'prom-client';

/** A value in the form of the library. */
interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The labels of a response. */
export type ResponseLabels = Readonly<Record<'listener' | 'route' | 'method', string>> & {
  readonly status: number;
};

/** The responses of one set of labels. */
interface Series {
  readonly labels: ResponseLabels;
  /** Number of responses per bucket, not cumulative. The last bucket has no bound. */
  readonly counts: number[];
  seconds: number;
}

/**
 * A histogram for the metrics library. The histogram of the library takes 0.5 µs to find the series of
 * a set of labels; a response from memory takes 10 µs in total.
 */
export class RequestDurations {
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  #series: Series[] = [];
  readonly #found = new Map<string, Map<string, Map<string, Map<number, Series>>>>();

  constructor(about: {
    readonly name: string;
    readonly help: string;
    /** Bounds of the buckets, in seconds, ascending. */
    readonly bounds: readonly number[];
  }) {
    this.name = about.name;
    this.help = about.help;
    this.#bounds = about.bounds;
  }

  /** This as a metric of the library. A registry uses only its name, `get` and `reset`. */
  get asMetric(): Metric {
    return this as unknown as Metric;
  }

  /** Counts a response. */
  count(labels: ResponseLabels, seconds: number): void {
    const series = this.#seriesOf(labels);
    let at = 0;
    while (at < this.#bounds.length && seconds > (this.#bounds[at] ?? 0)) at += 1;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.seconds += seconds;
  }

  /** The values, in the form of the library. */
  async get(): Promise<object> {
    const values = this.#series.flatMap((one) => this.#valuesOf(one));
    const { name, help } = this;
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  /** Resets all counts. */
  reset(): void {
    this.#series = [];
    this.#found.clear();
  }

  /** Nested maps, because building one key from all labels takes longer than everything else here. */
  #seriesOf(labels: ResponseLabels): Series {
    const { listener, route, method, status } = labels;
    const series = this.#found.get(listener)?.get(route)?.get(method)?.get(status);
    if (series !== undefined) return series;
    const counts = Array.from({ length: this.#bounds.length + 1 }, () => 0);
    const made = { labels, counts, seconds: 0 };
    this.#series.push(made);
    const ofListener = this.#found.getOrInsertComputed(listener, () => new Map());
    const ofRoute = ofListener.getOrInsertComputed(route, () => new Map());
    ofRoute.getOrInsertComputed(method, () => new Map()).set(status, made);
    return made;
  }

  #valuesOf({ labels, counts, seconds }: Series): Value[] {
    const { name } = this;
    let sum = 0;
    const buckets = counts.map((count, at) => {
      sum += count;
      const le = this.#bounds[at] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: sum };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: seconds },
      { metricName: `${name}_count`, labels, value: sum },
    ];
  }
}
