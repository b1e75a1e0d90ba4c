/** The streams of both clients, while the service that they follow is killed and started again. */
import assert from 'node:assert/strict';
import { pushPrice } from '../support/http/ask-service.ts';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { PizarraClient, type StreamEvent } from '../../clients/typescript/src/index.ts';
import {
  runPizarra,
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { findPython, startPython } from '../support/program/python.ts';
import { unusedPort } from '../support/program/unused-ports.ts';
import { once, within } from '../support/wait.ts';

const ticker = 'BTC';

/** The part of an event that both clients report. */
interface Seen {
  readonly id: string;
  readonly last: number;
}

/** A stream of a client, read event by event. */
interface Follower extends AsyncDisposable {
  next(): Promise<Seen>;
}

function followTypescript(url: string, key: string): Follower {
  const controller = new AbortController();
  const { signal } = controller;
  const client = new PizarraClient({ url, key });
  const stream = client.stream({ especie: ticker }, { signal, waitMsMax: 200 });
  return {
    next: async () => {
      const { value } = await within('an event', stream.next());
      const event = value as StreamEvent & { readonly id: string };
      return { id: event.id, last: event.data.ultimo };
    },
    [Symbol.asyncDispose]: async () => controller.abort(),
  };
}

/** Maximum number of lines that a program prints before the next quote. */
const linesMax = 1_000;

function followPython(python: string, mode: string, url: string, key: string): Follower {
  const options = JSON.stringify({ especie: ticker, wait_max: 0.2 });
  const child = startPython(python, ['-m', 'tests.print_stream', mode, options], {
    PIZARRA_URL: url,
    PIZARRA_KEY: key,
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    next: async () => {
      // Between two quotes there is at most one line for each connection.
      for (let line = 0; line < linesMax; line += 1) {
        const { value, done } = await within('a line', lines.next());
        assert.ok(done !== true, 'the program has ended');
        const event = JSON.parse(value) as {
          readonly type?: string;
          readonly id: string;
          readonly data: { readonly ultimo: number };
        };
        if (event.type === 'cotizacion') return { id: event.id, last: event.data.ultimo };
      }
      throw new Error(`no quote in ${linesMax} lines`);
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

test('a stream of either client survives a kill and a restart of the service: no quote is missed, none comes twice', async (t) => {
  await using directory = await temporaryDirectory();
  const where = ['--store', join(directory.path, 'data')];
  const create = async (...args: readonly string[]): Promise<string> => {
    const made = await runPizarra(['keys', 'create', ...args, ...where, '--json']);
    assert.equal(made.code, 0, made.stderr);
    return (JSON.parse(made.stdout) as { readonly key: string }).key;
  };
  const key = await create('--name', 'client');
  const ingest = await create('--name', 'source', '--scope', 'ingest');
  const port = await unusedPort();
  const start = (): Promise<RunningService> => startPizarra([...where, '--port', String(port)]);
  const push = async (service: RunningService, last: number): Promise<void> => {
    const response = await pushPrice(service, ingest, last);
    assert.equal(((await response.json()) as { readonly accepted: number }).accepted, 1);
  };

  const service = await start();
  await push(service, 1_000);
  await using cleanUp = new AsyncDisposableStack();
  const found = findPython();
  const followers = [followTypescript(service.url, key)];
  if ('skip' in found) t.diagnostic(found.skip);
  else {
    for (const mode of ['sync', 'async']) {
      followers.push(followPython(found.python, mode, service.url, key));
    }
  }
  for (const follower of followers) cleanUp.use(follower);
  const expectNext = async (last: number): Promise<readonly string[]> => {
    const seen = await Promise.all(followers.map((one) => one.next()));
    for (const one of seen) assert.equal(one.last, last);
    return seen.map(({ id }) => id);
  };
  const first = await expectNext(1_000);
  await push(service, 1_001);
  await expectNext(1_001);

  await service.stop('SIGKILL');
  await using restarted = await start();
  await push(restarted, 1_002);
  const later = await expectNext(1_002);
  await push(restarted, 1_003);
  await expectNext(1_003);
  assert.ok(later.every((id, at) => Number(id) > Number(first[at])));
});
