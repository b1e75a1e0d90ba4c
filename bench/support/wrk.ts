import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cores } from './pinned-process.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'wrk.lua');

/** Number of keep-alive connections, each with one request in flight. */
const connectionsByDefault = 32;

/** The figures of a load. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A response during a load differs from the checked one. */
export class LoadFault extends Error {
  override readonly name = 'LoadFault';
}

/**
 * Repeats one request as fast as the server responds, from the core that is not the server's.
 *
 * @throws LoadFault when a request fails or gets no response, because the figures would be meaningless.
 */
export async function load(
  url: string,
  headers: Readonly<Record<string, string>>,
  seconds: number,
  {
    connections = connectionsByDefault,
    requestsFile,
  }: {
    readonly connections?: number;
    /** A file of requests to send in turn instead of the URL. The server may refuse them. */
    readonly requestsFile?: string;
  } = {},
): Promise<Load> {
  const args = [
    '-c',
    String(cores.load),
    'wrk',
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    `--script=${script}`,
    ...Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`),
    url,
  ];
  const env = requestsFile === undefined ? {} : { WRK_REQUESTS: requestsFile };
  const { stdout } = await run('taskset', args, { env: { ...process.env, ...env } });
  const line = /^JSON (.+)$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`wrk printed no figures: ${stdout}`);
  const { requests, microseconds, p50, p99, failed, refused } = JSON.parse(line) as Record<
    'requests' | 'microseconds' | 'p50' | 'p99' | 'failed' | 'refused',
    number
  >;
  const failures = failed + (requestsFile === undefined ? refused : 0);
  if (failures > 0) throw new LoadFault(`${failures} of ${requests} requests failed`);
  if (requests === 0) throw new LoadFault(`no response in ${seconds} s`);
  return { requests, seconds: microseconds / 1e6, p50Ms: p50 / 1e3, p99Ms: p99 / 1e3 };
}
