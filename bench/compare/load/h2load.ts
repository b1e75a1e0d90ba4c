import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cores } from '../../support/pinned-process.ts';
import { LoadFault, type Load } from '../../support/wrk.ts';

const run = promisify(execFile);

/** Number of connections, and of concurrent streams on each. */
const connections = 16;
const streamsPerConnection = 8;

/**
 * Repeats one request over HTTP/2, from the core that is not the server's.
 *
 * @throws LoadFault when a request fails.
 */
export async function loadHttp2(
  url: string,
  headers: Readonly<Record<string, string>>,
  { seconds, scratch }: { readonly seconds: number; readonly scratch: string },
): Promise<Load> {
  const log = join(scratch, 'h2load.log');
  await rm(log, { force: true });
  const { stdout } = await run('taskset', [
    '-c',
    String(cores.load),
    'h2load',
    '--threads=1',
    `--clients=${connections}`,
    `--max-concurrent-streams=${streamsPerConnection}`,
    `--duration=${seconds}`,
    `--log-file=${log}`,
    ...Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`),
    url,
  ]);
  const [, requests = '', failed = ''] =
    /requests: .* (\d+) done, \d+ succeeded, (\d+) failed/.exec(stdout) ?? [];
  const [, refused = '', faulty = ''] = /status codes: .* (\d+) 4xx, (\d+) 5xx/.exec(stdout) ?? [];
  if (Number(requests) === 0) throw new LoadFault(`h2load got no response: ${stdout}`);
  const failures = Number(failed) + Number(refused) + Number(faulty);
  if (failures > 0) throw new LoadFault(`${failures} of ${requests} requests failed`);
  // The log has a line for each request: its start, its status, and its duration in microseconds.
  const times = Float64Array.from(
    (await readFile(log, 'latin1')).trimEnd().split('\n'),
    (line) => Number(line.slice(line.lastIndexOf('\t') + 1)) / 1e3,
  ).sort();
  const percentile = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
  return { requests: Number(requests), seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}
