import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  runPizarra,
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';

/** A service with its demonstration, and keys for it. */
export interface DemoService extends AsyncDisposable {
  readonly service: RunningService;
  readonly data: string;
  readonly config: string;
  readonly key: string;
  /** What the tests of a client read from the environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a service as an operator does. The plan `slow` of one key allows one request a second. */
export async function startDemoService(...flags: readonly string[]): Promise<DemoService> {
  await using cleanUp = new AsyncDisposableStack();
  const { path } = cleanUp.use(await temporaryDirectory());
  const data = join(path, 'data');
  const config = join(path, 'pizarra.yaml');
  writeFileSync(config, 'plans:\n  slow: 1/s burst 1\n');
  const where = ['--store', data, '--config', config];
  const create = async (...args: readonly string[]): Promise<string> => {
    const made = await runPizarra(['keys', 'create', ...args, ...where, '--json']);
    assert.equal(made.code, 0, made.stderr);
    return (JSON.parse(made.stdout) as { readonly key: string }).key;
  };
  const key = await create('--name', 'client');
  const limited = await create('--name', 'limited', '--plan', 'slow');
  const service = cleanUp.use(await startPizarra([...where, '--demonstration', 'auto', ...flags]));
  const running = cleanUp.move();
  return {
    service,
    data,
    config,
    key,
    env: { PIZARRA_URL: service.url, PIZARRA_KEY: key, PIZARRA_LIMITED_KEY: limited },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
