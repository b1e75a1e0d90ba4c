/** The embedding API, as docs/embedding.md documents it. The services run in the process of the test. */
import assert from 'node:assert/strict';
import { statusWith } from '../support/http/ask-service.ts';
import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import {
  OperatorFault,
  startService,
  StoreFault,
  UsageFault,
  type ServiceOptions,
} from '../../src/embed/start-service.ts';
import { blocksIn, project } from '../docs/blocks.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { once, processMsMax } from '../support/wait.ts';

/** Free ports, and no demonstration, which takes a second to generate. */
const quiet = { port: 0, privatePort: 0, demonstration: 'off', drainIdleMs: 0 } as const;

/** What a service could change of its process. */
function processState(): unknown {
  const names = process.eventNames().map(String).toSorted();
  return {
    listeners: names.map((name) => [name, process.listenerCount(name)]),
    exitCode: process.exitCode,
    cwd: process.cwd(),
    env: { ...process.env },
  };
}

test('a program starts a service, creates a key, gets quotes, stops it, and its process is as before', async () => {
  await using directory = await temporaryDirectory();
  const before = processState();
  await using service = await startService({
    ...quiet,
    store: directory.path,
    basePath: '/precios',
  });
  assert.match(service.url, /^http:\/\/127\.0\.0\.1:\d+\/precios$/);
  assert.equal(service.isSimulated, false);
  assert.equal((await fetch(`${service.privateUrl}/healthz`)).status, 200);
  assert.deepEqual(processState(), before);
  const { key } = await service.createKey({ name: 'desk' });
  assert.equal(await statusWith(`${service.url}/especies.txt`, key), 200);
  await Promise.all([service.stop(), service.stop()]);
  assert.deepEqual(processState(), before);
  await assert.rejects(fetch(`${service.url}/healthz`));
});

test('two services in one process are independent, and a directory can be used again after a stop', async () => {
  await using directory = await temporaryDirectory();
  const folder = (name: string): string => join(directory.path, name);
  await using one = await startService({ ...quiet, store: folder('one') });
  const { key } = await one.createKey({ name: 'one' });
  {
    await using other = await startService({ ...quiet, store: folder('other') });
    assert.equal(await statusWith(`${other.url}/especies.txt`, key), 401);
  }
  await using again = await startService({ ...quiet, store: folder('other') });
  assert.notEqual(again.url, one.url);
  assert.equal(await statusWith(`${one.url}/especies.txt`, key), 200);
});

test('a second service on a directory is refused as busy, and the first one continues', async () => {
  await using directory = await temporaryDirectory();
  const options: ServiceOptions = { ...quiet, store: directory.path };
  await using first = await startService(options);
  await assert.rejects(
    startService(options),
    (fault) => fault instanceof StoreFault && fault.code === 'busy',
  );
  assert.equal((await fetch(`${first.url}/healthz`)).status, 200);
});

test('every invalid option is reported at once, and neither flags nor variables are read', async () => {
  await using directory = await temporaryDirectory();
  process.env['PIZARRA_PORT'] = 'no number';
  try {
    const wrong = { ...quiet, store: directory.path, workers: 0, colour: 'red' } as ServiceOptions;
    await assert.rejects(startService(wrong), (fault) => {
      assert.ok(fault instanceof UsageFault);
      assert.match(fault.message, /^colour in the options is not a setting/m);
      assert.match(fault.message, /^workers in the options cannot be "0"/m);
      assert.doesNotMatch(fault.message, /port/i);
      return true;
    });
    const feeds = [{ name: 'a', type: 'unknown' }];
    await assert.rejects(startService({ ...quiet, store: directory.path, feeds }), UsageFault);
  } finally {
    delete process.env['PIZARRA_PORT'];
  }
});

test('a port in use is an OperatorFault, and what had started is stopped', async () => {
  await using directory = await temporaryDirectory();
  await using first = await startService({ ...quiet, store: join(directory.path, 'first') });
  const store = join(directory.path, 'second');
  const port = Number(new URL(first.url).port);
  await assert.rejects(startService({ ...quiet, store, port }), OperatorFault);
  await using second = await startService({ ...quiet, store });
  assert.equal((await fetch(`${second.url}/healthz`)).status, 200);
});

test('a key with an invalid name, scope, expiry or plan is refused', async () => {
  await using directory = await temporaryDirectory();
  const plans = { desk: '60/min burst 20' };
  await using service = await startService({ ...quiet, store: directory.path, plans });
  const wrong: readonly object[] = [
    {},
    { name: ' ' },
    { name: 'a', scope: 'write' },
    { name: 'a', expiresAt: new Date(Number.NaN) },
    { name: 'a', plan: 'gold' },
  ];
  for (const request of wrong) {
    await assert.rejects(service.createKey(request as { name: string }), UsageFault);
  }
  const { key } = await service.createKey({ name: 'a', plan: 'desk', expiresAt: new Date(0) });
  assert.equal(await statusWith(`${service.url}/especies.txt`, key), 401);
});

test('the words of a setting are typed, and a misspelled one is refused when it runs, too', async () => {
  const typed: ServiceOptions = { market: 'argentina', logLevel: 'warn', port: '0', workers: 1 };
  assert.equal(typed.market, 'argentina');
  // @ts-expect-error the compiler knows the presets of sources
  const wrong: ServiceOptions = { ...quiet, market: 'argentna' };
  await assert.rejects(startService(wrong), (fault: Error) => {
    assert.ok(fault instanceof UsageFault);
    assert.match(fault.message, /market.*one of none, argentina, argentina-completo/);
    return true;
  });
});

test('the log of the caller receives what the service and its worker processes report', async () => {
  await using directory = await temporaryDirectory();
  const lines: { readonly level: string; readonly details: object; readonly message: string }[] =
    [];
  const at = (level: string) => (details: object, message: string) =>
    void lines.push({ level, details, message });
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const accessLog = 'all' as const;
  const options = { ...quiet, store: directory.path, workers: 2, log, accessLog };
  await using service = await startService(options);
  const { key } = await service.createKey({ name: 'a' });
  assert.ok(lines.some(({ message }) => message.startsWith('no API key exists')));
  // Connections are shared among the processes, so one of these requests reaches the worker.
  for (let sent = 0; sent < 50 && !lines.some(isOfWorker); sent += 1) {
    await fetch(`${service.url}/especies.txt`, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    });
  }
  await service.stop();
  const ofWorker = lines.find(isOfWorker);
  assert.equal(ofWorker?.level, 'info', JSON.stringify(lines));
});

function isOfWorker({ details }: { readonly details: object }): boolean {
  return 'worker' in details;
}

test('the example of docs/embedding.md runs as a program that installed the package', async () => {
  const example = blocksIn('docs/embedding.md').find(({ language }) => language === 'ts');
  assert.ok(example !== undefined);
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'example.ts');
  await mkdir(join(directory.path, 'node_modules'));
  await symlink(project, join(directory.path, 'node_modules/pizarra'));
  await writeFile(file, example.text);
  const child = spawn(process.execPath, [file], {
    cwd: directory.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close', { withinMs: processMsMax }) as Promise<[number | null]>,
  ]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(stdout, /"especie":"GGAL"/);
});
