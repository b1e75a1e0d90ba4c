import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
  measureLog,
  measurePublicListener,
  measureRateLimits,
} from '../../src/node/metrics/public-metrics.ts';
import { Metrics } from '../../src/node/metrics/metrics.ts';
import { RatePlans } from '../../src/auth/rate-plans.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import {
  startPrivateServer,
  type TestPrivateServer,
} from '../support/http/start-private-server.ts';

const page = new URL('../../docs/metrics.md', import.meta.url);

async function scrape({ url, keys }: TestPrivateServer): Promise<string> {
  const headers = { authorization: `Bearer ${keys.metrics}` };
  const response = await fetch(`${url}/metrics`, { headers });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** The value of one series in the text format. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const update = (ticker: string, last: number, second: number): string =>
  `${JSON.stringify({ ticker, at: `2026-11-20T14:00:0${second}Z`, last, previousClose: 100 })}\n`;

test('promtool reports no fault in the metrics', async (t) => {
  if (spawnSync('promtool', ['--version']).error !== undefined) {
    t.skip('promtool is not installed (Debian: apt-get install prometheus)');
    return;
  }
  await using server = await startPrivateServer();
  await server.push(update('GGAL', 101, 0));
  // Register all metrics, including those of the public listener.
  measurePublicListener(server.metrics).streams.opened();
  const rateLimits = new RateLimits({ plans: new RatePlans({ plans: new Map() }) });
  measureRateLimits(server.metrics.registry, rateLimits);
  const input = await scrape(server);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input,
    encoding: 'utf8',
  });
  assert.equal(stdout + stderr, '');
  assert.equal(status, 0);
});

test('docs/metrics.md lists exactly the metrics that exist', () => {
  const metrics = new Metrics({ version: '0.0.0' });
  measurePublicListener(metrics);
  metrics.pipeline();
  const rateLimits = new RateLimits({ plans: new RatePlans({ plans: new Map() }) });
  measureRateLimits(metrics.registry, rateLimits);
  measureLog(metrics.registry, { dropped: () => 0 });
  const names = metrics.registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('pizarra_'));
  const documented = [...readFileSync(page, 'utf8').matchAll(/^- `(pizarra_\w+)/gm)].map(
    (match) => match[1] ?? '',
  );
  assert.deepEqual(new Set(documented), new Set(names));
  assert.equal(documented.length, names.length);
});

test('updates are counted by feed and outcome', async () => {
  await using server = await startPrivateServer();
  const one = update('GGAL', 101, 0);
  await server.push(`${one}${one}${update('NADA', 1, 0)}${update('AL30', -1, 0)}`);
  const text = await scrape(server);
  const count = (outcome: string): number | undefined =>
    valueOf(text, `pizarra_updates_total{feed="push",outcome="${outcome}"}`);
  assert.equal(count('accepted'), 1);
  assert.equal(count('unchanged'), 1);
  assert.equal(count('unknown-ticker'), 1);
  assert.equal(count('not-positive'), 1);
  assert.equal(valueOf(text, 'pizarra_quotes_published_total'), 1);
  assert.equal(valueOf(text, 'pizarra_board_quotes'), 1);
});

test('a jump is accepted, and counted once a session', async () => {
  await using server = await startPrivateServer();
  const jumps = async (): Promise<number | undefined> =>
    valueOf(await scrape(server), 'pizarra_jumps_total{kind="share"}');
  await server.push(update('GGAL', 101, 0));
  assert.equal(await jumps(), 0);
  const response = await server.push(update('GGAL', 303, 1));
  assert.equal(((await response.json()) as { accepted: number }).accepted, 1);
  assert.equal(await jumps(), 1);
  await server.push(update('GGAL', 304, 2));
  assert.equal(await jumps(), 1);
});

test('clients cannot create time series: all unknown paths and methods share one', async () => {
  await using server = await startPrivateServer();
  const headers = { authorization: `Bearer ${server.keys.metrics}` };
  for (const path of ['/a', '/b', '/c?d=e']) await fetch(server.url + path, { headers });
  const text = await scrape(server);
  const name = 'pizarra_http_request_duration_seconds_count';
  const series = `${name}{listener="private",route="unknown",method="GET",status="404"}`;
  assert.equal(valueOf(text, series), 3);
  assert.doesNotMatch(text, /route="\/[abc]"/);
});

test('refused keys are counted by reason', async () => {
  await using server = await startPrivateServer();
  await server.push('', { authorization: `Bearer ${server.keys.read}` });
  await server.push('', { authorization: 'Basic x' });
  const text = await scrape(server);
  const refused = (reason: string): number | undefined =>
    valueOf(text, `pizarra_http_keys_refused_total{listener="private",reason="${reason}"}`);
  assert.equal(refused('wrong-scope'), 1);
  assert.equal(refused('missing'), 1);
});
