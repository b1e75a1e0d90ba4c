import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import type { Finding } from '../../src/app/doctor/examine.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program.ts';

/** Where nothing listens, as long as nothing else on this machine takes any free port just now. */
const anyPorts = ['--port', '0', '--private-port', '0'];

async function examined(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly of: (check: string) => Finding | undefined }> {
  const { code, stdout, stderr } = await runPizarra(['doctor', '--json', ...args]);
  assert.equal(stderr, '');
  const findings = JSON.parse(stdout) as readonly Finding[];
  for (const { state, todo } of findings) {
    assert.equal(todo === undefined, state === 'fine', 'what is not fine comes with what to do');
  }
  return { code, of: (check) => findings.find((one) => one.check === check) };
}

test('doctor finds a fresh place fit for a start, and makes nothing there', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const { code, of } = await examined('--data', data, ...anyPorts);
  assert.equal(code, 0);
  assert.equal(of('data')?.state, 'warning');
  assert.equal(of('universe')?.state, 'fine');
  await assert.rejects(readFile(data), { code: 'ENOENT' });
});

test('doctor asks a running service, and shows no key', async () => {
  await using directory = await temporaryDirectory();
  const closes = join(directory.path, 'closes.csv');
  await writeFile(closes, 'ticker,date,close,open,high,low,volume\nGGAL,2026-11-19,100,,,,\n');
  const imported = await runPizarra(['import', closes, '--data', directory.path]);
  assert.equal(imported.code, 0, imported.stderr);
  await using service = await startPizarra(['--data', directory.path]);
  const key = await service.firstKey();
  const [port, privatePort] = [service.url, service.privateUrl].map((url) => new URL(url).port);
  const args = [
    '--data',
    directory.path,
    '--port',
    port ?? '',
    '--private-port',
    privatePort ?? '',
  ];
  const { code, of } = await examined(...args);
  for (const check of ['service', 'healthz', 'readyz', 'database', 'keys', 'data', 'disk']) {
    assert.equal(of(check)?.state, 'fine', `${check}: ${JSON.stringify(of(check))}`);
  }
  assert.equal(code, 0);
  const people = await runPizarra(['doctor', ...args]);
  assert.match(people.stdout, /^fine {3}healthz +http:/m);
  assert.ok(!people.stdout.includes(key.slice(0, 12)));

  const elsewhere = await examined(...args.slice(0, 2), '--port', '1', ...args.slice(4));
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.of('healthz')?.says ?? '', /does not answer/);
});

test('doctor tells what is wrong, each with what to do, and exits with 1', async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  const made = await runPizarra(['keys', 'create', '--data', data, '--name', 'x']);
  assert.equal(made.code, 0, made.stderr);

  await chmod(data, 0o755);
  const open = await examined('--data', data, ...anyPorts);
  assert.equal(open.of('data')?.todo, `chmod 700 ${data}`);
  assert.equal(open.code, 0, 'a warning is not a fault');

  await using busy = createServer();
  busy.listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  const taken = await examined('--data', data, '--port', String(port), '--private-port', '0');
  assert.match(taken.of('port')?.says ?? '', /EADDRINUSE/);
  assert.equal(taken.code, 1);

  const noUniverse = await examined('--data', data, '--universe', data, ...anyPorts);
  assert.equal(noUniverse.of('universe')?.state, 'wrong');
  assert.ok((noUniverse.of('universe')?.cases ?? []).length > 0);

  const config = join(data, 'my.yaml');
  await writeFile(config, 'feeds: [{ name: x, type: telepathy }]\n');
  const feeds = await examined('--data', data, '--config', config, ...anyPorts);
  assert.match(feeds.of('configuration')?.says ?? '', /telepathy|type/);
  await writeFile(config, 'port: many\n');
  const settings = await examined('--config', config);
  assert.match(settings.of('configuration')?.says ?? '', /cannot be "many"/);
  assert.equal(settings.code, 1);

  const path = join(data, 'pizarra.db');
  const bytes = await readFile(path);
  bytes.fill(0xff, 4096, 4160);
  await writeFile(path, bytes);
  const damaged = await examined('--data', data, ...anyPorts);
  assert.equal(damaged.of('database')?.state, 'wrong');
  assert.match(damaged.of('database')?.todo ?? '', /restore/);
  assert.equal(damaged.code, 1);
});
