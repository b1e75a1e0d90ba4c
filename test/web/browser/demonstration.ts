import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The program without imported data, so it shows the demonstration. */
export interface Demonstration extends AsyncDisposable {
  /** The URL, with its final slash. */
  readonly url: string;
  /** The key that the first start printed. */
  readonly key: string;
  /** The response of the API to a path, from JSON. */
  get<T>(path: string): Promise<T>;
  /** Kills the program. */
  kill(): Promise<void>;
  /** Suspends the program: its connections stay open, and nothing comes over them. */
  suspend(): void;
  /** Continues a program that was suspended. */
  resume(): void;
  /** Starts the program again, with the same data directory and port. */
  restart(): Promise<void>;
}

const project = resolve(import.meta.dirname, '../../..');

/**
 * Starts the program on an empty data directory, and reads the key that it prints.
 *
 * @param fill imports data into the directory first. Then there is no demonstration. It may return further
 *   flags of the service.
 */
export async function startDemonstration(
  fill?: (data: string) => Promise<readonly string[] | undefined>,
): Promise<Demonstration> {
  const data = await mkdtemp(join(tmpdir(), 'pizarra-demo-'));
  const flags = (await fill?.(data)) ?? [];
  const first = await launch(data, 0, flags);
  const key = /pz_[0-9A-Za-z]+/.exec(first.output)?.[0] ?? '';
  const { url } = first;
  let { child } = first;
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    url: `${url}/`,
    key,
    get: async <T>(path: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${url}/${path}`, { headers })).json() as Promise<T>;
    },
    kill,
    suspend: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    restart: async () => {
      ({ child } = await launch(data, Number(new URL(url).port), flags));
    },
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(data, { recursive: true, force: true });
    },
  };
}

interface Launched {
  readonly child: ChildProcess;
  readonly url: string;
  /** The standard output. The log is on standard error. */
  readonly output: string;
}

/** Starts the program, and waits until it prints its URL and, at the first start, the key. */
async function launch(data: string, port: number, flags: readonly string[]): Promise<Launched> {
  const isFirst = port === 0;
  const ports = ['--port', String(port), '--private-port', '0'];
  const child = spawn(
    process.execPath,
    ['bin/pizarra.js', 'serve', '--store', data, ...ports, '--log-format', 'json', ...flags],
    { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { promise, resolve: settle, reject } = Promise.withResolvers<Launched>();
  let output = '';
  let log = '';
  const look = () => {
    const url = /"url":"(http[^"]+)"/.exec(log)?.[1];
    const isWhole = !isFirst || output.includes('curl ');
    if (url !== undefined && isWhole) settle({ child, url, output });
  };
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    look();
  });
  child.stderr.on('data', (chunk) => {
    // Only the start of the log matters. The rest is one line for each response.
    if (log.length < 10_000) log += String(chunk);
    look();
  });
  child.on('exit', () => reject(new Error(`the program ended before it served:\n${log}${output}`)));
  return promise;
}
