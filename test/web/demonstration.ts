import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The program as a new visitor meets it: nothing imported, so it demonstrates itself. */
export interface Demonstration extends AsyncDisposable {
  /** With the slash at its end. */
  readonly url: string;
  /** The key that it printed. */
  readonly key: string;
  /** Kills the program. */
  kill(): Promise<void>;
  /** Starts it again, in the same place. */
  restart(): Promise<void>;
}

const project = resolve(import.meta.dirname, '../..');

/**
 * Starts the program over an empty directory of its own and reads the key that it prints.
 *
 * @param fill puts data into the directory first; then no demonstration is shown, and what `fill` gives
 *   is the key.
 */
export async function startDemonstration(
  fill?: (data: string) => Promise<string>,
): Promise<Demonstration> {
  const data = await mkdtemp(join(tmpdir(), 'pizarra-demo-'));
  const made = await fill?.(data);
  const first = await launch(data, 0, made !== undefined);
  const key = made ?? /pz_[0-9A-Za-z]+/.exec(first.output)?.[0] ?? '';
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
    kill,
    restart: async () => {
      ({ child } = await launch(data, Number(new URL(url).port)));
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
  /** What it printed for people; the log goes elsewhere. */
  readonly output: string;
}

/** Starts the program and waits until it says where it serves and, the first time, with what key. */
async function launch(data: string, port: number, hasKey = port !== 0): Promise<Launched> {
  const ports = ['--port', String(port), '--private-port', '0'];
  const child = spawn(
    process.execPath,
    ['bin/pizarra.js', 'serve', '--data', data, ...ports, '--log-format', 'json'],
    { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { promise, resolve: settle, reject } = Promise.withResolvers<Launched>();
  let output = '';
  let log = '';
  const look = () => {
    const url = /"url":"(http[^"]+)"/.exec(log)?.[1];
    const isWhole = hasKey || output.includes('curl ');
    if (url !== undefined && isWhole) settle({ child, url, output });
  };
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    look();
  });
  child.stderr.on('data', (chunk) => {
    // Its beginning is what is waited for; the rest is one line for each answer.
    if (log.length < 10_000) log += String(chunk);
    look();
  });
  child.on('exit', () => reject(new Error(`the program ended before it served:\n${log}${output}`)));
  return promise;
}
