import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { launcher } from './launcher.ts';
import { storeInArgs } from './test-store.ts';
import { once, processMsMax, until, within } from '../wait.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** The exit code and the output of a program that has ended. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whether a program is installed. Otherwise, why a test that needs it is skipped. */
export function lacks(program: string, args: readonly string[] = ['--version']): string | false {
  return spawnSync(program, args).error !== undefined && `${program} is not installed`;
}

/** Runs the program to its end, as a user does. */
export async function runPizarra(
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
    /** The user to run as. Only root can set it. */
    readonly uid?: number;
    /** Maximum run time, in milliseconds, by default an hour. Then the program is killed, and the code is null. */
    readonly timeoutMs?: number;
  } = {},
): Promise<Finished> {
  const child = spawnPizarra(args, options);
  const { timeoutMs = processMsMax } = options;
  const tooLong = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close', { withinMs: processMsMax }) as Promise<[number | null]>,
  ]);
  clearTimeout(tooLong);
  return { code, stdout, stderr };
}

function spawnPizarra(
  args: readonly string[],
  {
    cwd,
    env,
    uid,
    command,
  }: {
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly uid?: number;
    readonly command?: string;
  },
): Child {
  const [file, before] = command === undefined ? [process.execPath, [launcher]] : [command, []];
  return spawn(file, [...before, ...storeInArgs(args, cwd)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The environment variables of the developer must not become settings of the program.
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
  });
}

/** The addresses on which a service reports that it listens. */
interface Addresses {
  readonly url: string;
  readonly privateUrl: string;
}

/** A service that was started as an operator does. Disposing it stops it. */
export interface RunningService extends AsyncDisposable {
  readonly child: Child;
  readonly url: string;
  readonly privateUrl: string;
  /** Waits for the key that the first start prints. */
  firstKey(): Promise<string>;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until the log contains a text. */
  logged(text: string): Promise<void>;
  /** Sends a signal, and returns the exit code (null after a kill). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Flags for tests: free ports, a JSON log, no demonstration (generating it takes a second or two), and no
 * wait for requests in transit when a test stops the service.
 */
const quietFlags = [
  ['--port', '0'],
  ['--private-port', '0'],
  ['--log-format', 'json'],
  ['--demonstration', 'off'],
  ['--drain-idle-ms', '0'],
].flat();

/**
 * Starts `pizarra serve` on a free port. Resolves when it serves.
 *
 * @param onSpawn is called with the process as soon as it is spawned.
 * @throws when the process ends before it serves.
 */
export async function startPizarra(
  args: readonly string[],
  onSpawn: (child: Child) => void = () => undefined,
  options: {
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly uid?: number;
    /** An installed command `pizarra`. By default the sources run with the Node of the test. */
    readonly command?: string;
  } = {},
): Promise<RunningService> {
  const child = spawnPizarra(['serve', ...quietFlags, ...args], options);
  onSpawn(child);
  const output = { stdout: '', stderr: '' };
  const closed = once(child, 'close', { withinMs: processMsMax }) as Promise<[number | null]>;
  const serving = new Promise<Addresses>((found, failed) => {
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      output.stderr += chunk.toString();
      const line = output.stderr.split('\n').find((one) => one.includes('"msg":"service ready"'));
      if (line?.endsWith('}') === true) found(JSON.parse(line) as Addresses);
    });
    void closed.then(([code]) => failed(new Error(`ended with ${code}: ${output.stderr}`)));
  });
  // A child that is left behind would keep the process of the tests from ending.
  const orKill = async <T>(waiting: Promise<T>): Promise<T> => {
    try {
      return await waiting;
    } catch (fault) {
      child.kill('SIGKILL');
      throw fault;
    }
  };
  const { url, privateUrl } = await orKill(within('the service is serving', serving));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await orKill(within(`the service exits after ${signal}`, closed));
    return code;
  };
  return {
    child,
    url,
    privateUrl,
    firstKey: () =>
      until('a first key is printed', () => /(pz_[0-9A-Za-z]+)\s/.exec(output.stdout)?.[1]),
    logged: async (part) => {
      await until(`the log contains ${part}`, () => output.stderr.includes(part));
    },
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** Creates a directory that is removed when it is disposed. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'pizarra-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
