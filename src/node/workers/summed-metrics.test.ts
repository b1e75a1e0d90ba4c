import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Metrics } from '../metrics/metrics.ts';
import type { MetricsJson } from './channel.ts';
import { SummedMetrics } from './summed-metrics.ts';

/** Workers whose metrics the test sets. */
class FakeWorkers {
  live: readonly Metrics[] = [];
  #tell: (last: MetricsJson) => void = () => undefined;

  metrics(): Promise<readonly MetricsJson[]> {
    return Promise.all(this.live.map(({ registry }) => registry.getMetricsAsJSON()));
  }

  onGone(tell: (last: MetricsJson) => void): void {
    this.#tell = tell;
  }

  async end(metrics: Metrics): Promise<void> {
    this.live = this.live.filter((one) => one !== metrics);
    this.#tell(await metrics.registry.getMetricsAsJSON());
  }
}

const answer = { route: '/x', method: 'GET', status: 200, seconds: 0.001 } as const;
const answered =
  'pizarra_http_request_duration_seconds_count{listener="public",route="/x",method="GET",status="200"}';

function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

/** The lines of a text, without their values. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.replace(/ [^ ]*$/, ''));
}

function open(count: number): {
  readonly workers: FakeWorkers;
  readonly all: readonly Metrics[];
  readonly summed: SummedMetrics;
} {
  const all = Array.from({ length: count }, () => new Metrics({ version: '1.2.3' }));
  for (const metrics of all) metrics.http('public').answered(answer);
  const workers = new FakeWorkers();
  const [own, ...others] = all;
  assert.ok(own !== undefined);
  workers.live = others;
  return { workers, all, summed: new SummedMetrics(own.registry, workers) };
}

test('counters of processes are added up, and a value that is the same in all appears once', async () => {
  const text = await open(3).summed.metrics();
  assert.equal(valueOf(text, answered), 3);
  assert.equal(valueOf(text, 'pizarra_processes'), 3);
  assert.match(text, /^pizarra_build_info\{version="1\.2\.3",node="[^"]+"\} 1$/m);
  assert.match(text, /^process_start_time_seconds \d+$/m);
});

test('no counter decreases when a process ends, and its gauges disappear', async () => {
  const { workers, all, summed } = open(3);
  const [, first, second] = all;
  assert.ok(first !== undefined && second !== undefined);
  await workers.end(first);
  await workers.end(second);
  const text = await summed.metrics();
  assert.equal(valueOf(text, answered), 3);
  assert.equal(valueOf(text, 'pizarra_processes'), 1);
});

test('the metrics of a single process are unchanged, line by line', async () => {
  const { all, summed } = open(1);
  assert.deepEqual(
    linesOf(await summed.metrics()),
    linesOf((await all[0]?.registry.metrics()) ?? ''),
  );
});
