import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createKey } from '../../src/node/keys/keys.ts';
import { unusedPort } from '../support/program/unused-ports.ts';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { once } from '../support/wait.ts';
import { isInPostgres, storeAt } from '../support/program/test-store.ts';

const example = resolve(import.meta.dirname, '../../deploy/proxy/nginx.conf');

/** Starts nginx with the shipped configuration in front of two instances. Undefined without nginx. */
async function startNginx(
  t: TestContext,
  { directory, port, instances }: { directory: string; port: number; instances: readonly number[] },
): Promise<AsyncDisposable | undefined> {
  if (spawnSync('nginx', ['-v']).error !== undefined) {
    t.skip('nginx is not installed');
    return undefined;
  }
  const wish = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=x -days 1'.split(' ');
  const [key, certificate] = [join(directory, 'key'), join(directory, 'certificate')];
  const made = spawnSync('openssl', [...wish, '-keyout', key, '-out', certificate]);
  if (made.error !== undefined) {
    t.skip('openssl is not installed');
    return undefined;
  }
  const text = await readFile(example, 'utf8');
  const servers = instances.map((one) => `server 127.0.0.1:${one} max_fails=0;`);
  // Change only what an operator changes: the addresses and the certificate.
  const own = text
    .replace('server 127.0.0.1:8080 max_fails=0;', servers.join('\n'))
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replace('listen 80;', `listen 127.0.0.1:${await unusedPort()};`)
    .replace(/listen \[::\].*;/g, '')
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
  await writeFile(join(directory, 'example.conf'), own);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${join(directory, name)};`).join(' ');
  await writeFile(
    join(directory, 'main.conf'),
    `daemon off; pid ${join(directory, 'pid')}; error_log stderr crit; worker_processes 1;
     events {} http { access_log off; ${paths} include ${join(directory, 'example.conf')}; }`,
  );
  const args = ['-c', join(directory, 'main.conf'), '-p', directory, '-e', 'stderr'];
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Sends requests continuously until the signal aborts, and counts every outcome. */
async function poll(
  port: number,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  const outcomes = new Map<string, number>();
  while (!signal.aborted) {
    let outcome: string;
    try {
      const target = `https://127.0.0.1:${port}/cotizaciones?panel=LID`;
      const headers = { authorization: `Bearer ${key}` };
      const [response] = (await once(request(target, { headers, agent }).end(), 'response')) as [
        IncomingMessage,
      ];
      await response.resume().toArray();
      outcome = String(response.statusCode);
    } catch (fault) {
      outcome = String(fault);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  agent.destroy();
  return outcomes;
}

test('behind nginx with the shipped configuration, no request fails while two instances restart in turn', async (t) => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const port = await unusedPort();
  const instances = [await unusedPort(), await unusedPort()] as const;
  await using nginx = await startNginx(t, { directory: path, port, instances });
  if (nginx === undefined) return;
  const { key } = await createKey(storeAt(join(path, 'a')), { name: 'x', scope: 'read' });
  // Each instance has its own data directory, with a copy of the keys. Over PostgreSQL both share a database.
  if (!isInPostgres) await cp(join(path, 'a'), join(path, 'b'), { recursive: true });
  const flags = ['--behind-proxy', '127.0.0.1', '--drain-idle-ms', '200'];
  const start = (name: string, at: number): Promise<RunningService> =>
    startPizarra([
      '--store',
      join(path, isInPostgres ? 'a' : name),
      '--port',
      String(at),
      ...flags,
    ]);
  await using running = new AsyncDisposableStack();
  const [first, second] = await Promise.all([start('a', instances[0]), start('b', instances[1])]);
  running.use(first);
  running.use(second);
  const stopping = new AbortController();
  const polls = Array.from({ length: 8 }, () => poll(port, { key, signal: stopping.signal }));
  await sleep(100);
  await first.stop();
  running.use(await start('a', instances[0]));
  await second.stop();
  running.use(await start('b', instances[1]));
  await sleep(100);
  stopping.abort();
  const outcomes = await Promise.all(polls);
  for (const one of outcomes) assert.deepEqual([...one.keys()], ['200']);
  const requests = outcomes.reduce((sum, one) => sum + (one.get('200') ?? 0), 0);
  t.diagnostic(`${requests} requests, none failed`);
  assert.ok(requests > 100, `only ${requests} requests`);
});
