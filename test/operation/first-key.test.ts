import assert from 'node:assert/strict';
import { statusWith } from '../support/http/ask-service.ts';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { firstKeyText } from '../../src/commands/serve.ts';
import { launcher } from '../support/program/launcher.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { once } from '../support/wait.ts';
import { openTestStore, storeInArgs } from '../support/program/test-store.ts';

async function keysIn(data: string): Promise<readonly unknown[]> {
  await using store = await openTestStore(data, { mode: 'read' });
  return (await store.keys.readAll()).keys;
}

/** The link for a base path of `/v5`. */
function linkOf(
  url: string,
  { behindProxy = [], tlsCert = '' }: { behindProxy?: readonly string[]; tlsCert?: string } = {},
): string | undefined {
  const text = firstKeyText('pz_x', url, { behindProxy, tlsCert, basePath: '/v5' });
  return /^ {2}(http.*#key=pz_x)$/m.exec(text)?.[1];
}

test('contract 5.4: a first start that fails stores no key, and the first one that serves prints a link with a valid key', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  await using taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  // The private listener is opened last.
  const privatePort = String((taken.address() as AddressInfo).port);
  const ports = ['--port', '0', '--private-port', privatePort];
  const serve = ['serve', '--store', data, '--demonstration', 'off', ...ports];
  const { code, stdout, stderr } = await runPizarra(serve);
  assert.equal(code, 1);
  assert.match(stderr, /the port is in use/);
  assert.equal(stdout, '');
  assert.deepEqual(await keysIn(data), []);
  await using service = await startPizarra(['--store', data, '--workers', '2']);
  const key = await service.firstKey();
  // All processes accept the key when it is printed.
  const answers = Array.from({ length: 8 }, () => statusWith(`${service.url}/especies.txt`, key));
  assert.deepEqual(new Set(await Promise.all(answers)), new Set([200]));
  assert.ok(service.stdout().includes(`\n  ${service.url}/#key=${key}\n`), service.stdout());
  assert.ok(!service.stderr().includes(key), 'the log contains no key');
});

test('when the output is a file, no key is created, and the log says how to create one', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const output = join(directory.path, 'output');
  const descriptor = openSync(output, 'w');
  const ports = ['--port', '0', '--private-port', '0', '--log-format', 'json'];
  const flags = ['--store', data, '--demonstration', 'off', '--least-rights', ...ports];
  const child = spawn(process.execPath, [launcher, 'serve', ...storeInArgs(flags)], {
    stdio: ['ignore', descriptor, 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  closeSync(descriptor);
  const closed = once(child, 'close');
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    const wasServing = log.includes('"msg":"service ready"');
    log += chunk.toString();
    if (!wasServing && log.includes('"msg":"service ready"')) child.kill();
  });
  assert.deepEqual(await closed, [0, null], log);
  assert.match(log, /no API key exists: create one with \\"pizarra keys create --name NAME\\"/);
  assert.deepEqual(await keysIn(data), []);
  assert.equal(await readFile(output, 'utf8'), '');
});

test('the link has the scheme and the address at which a browser reaches the service', () => {
  assert.equal(linkOf('http://127.0.0.1:8080/v5'), 'http://127.0.0.1:8080/v5/#key=pz_x');
  assert.equal(linkOf('http://[::1]:80/v5'), 'http://[::1]:80/v5/#key=pz_x');
  const tlsCert = 'cert.pem';
  assert.equal(linkOf('https://0.0.0.0:443/v5', { tlsCert }), 'https://127.0.0.1:443/v5/#key=pz_x');
  assert.equal(linkOf('https://[::]:443/v5', { tlsCert }), 'https://[::1]:443/v5/#key=pz_x');
  // The service does not know the name of a proxy.
  const behindProxy = ['172.17.0.1'];
  assert.equal(linkOf('http://0.0.0.0:8080/v5', { behindProxy }), 'https://NAME/v5/#key=pz_x');
});
