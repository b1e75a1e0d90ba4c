import { join } from 'node:path';

import { createKey } from '../../src/node/keys/keys.ts';
import type { KeyScope } from '../../src/domain/access/api-key.ts';
import { writeAlwaysOpenUniverse } from './always-open-universe.ts';
import { PinnedProcess, cores } from './pinned-process.ts';

const launcher = new URL('../../bin/pizarra', import.meta.url).pathname;

/** The program, started as an operator does, on the measured core. Disposing it stops it. */
export interface RunningService extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly privateUrl: string;
  readonly keys: Readonly<Record<KeyScope, string>>;
  /** Seconds from starting the program until it was ready. */
  readonly secondsToReady: number;
  /** What it has printed so far. */
  readonly output: () => string;
}

/** Starts the program on an empty directory, with a key of each scope and all markets open. */
export async function startService(
  directory: string,
  options: {
    readonly args?: readonly string[];
    /** Further instruments, as lines of `instruments.csv`. */
    readonly instruments?: readonly string[];
  } = {},
): Promise<RunningService> {
  const make = async (scope: KeyScope): Promise<string> =>
    (await createKey(directory, { name: scope, scope, expiresAt: Date.now() + 86_400_000 })).key;
  const keys = {
    read: await make('read'),
    ingest: await make('ingest'),
    metrics: await make('metrics'),
    url: await make('url'),
  };
  const universe = join(directory, 'universe');
  await writeAlwaysOpenUniverse(universe, options.instruments);
  const place = ['--store', directory, '--universe', universe];
  const fixed = ['serve', ...place, '--port', '0', '--private-port', '0'];
  const started = performance.now();
  const program = new PinnedProcess({
    core: cores.server,
    command: launcher,
    args: [...fixed, '--log-format', 'json', ...(options.args ?? [])],
  });
  const serving = await program.printed(/\{[^\n]*"msg":"service ready"[^\n]*\}/);
  const secondsToReady = (performance.now() - started) / 1e3;
  const { url, privateUrl } = JSON.parse(serving[0]) as { url: string; privateUrl: string };
  return {
    pid: program.pid,
    url,
    privateUrl,
    keys,
    secondsToReady,
    output: () => program.output,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
