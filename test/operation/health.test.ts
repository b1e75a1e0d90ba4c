/** `pizarra health`, which containers and monitors run. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { checkHealth } from '../../src/operator/doctor/check-health.ts';
import { OperatorFault } from '../../src/lib/reports/operator-fault.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { claimDirectory } from '../../src/store/sqlite/health/claim-directory.ts';
import { resolveSettings } from '../../src/config/settings/resolve-settings.ts';
import type { SettingName } from '../../src/config/settings/settings.ts';
import { startService } from '../../src/embed/start-service.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { runPizarra, temporaryDirectory } from '../support/program/program.ts';
import { once } from '../support/wait.ts';
import { storeAt } from '../support/program/test-store.ts';

const quiet = { port: 0, privatePort: 0, demonstration: 'off', drainIdleMs: 0 } as const;

/** Checks the health as the command does, with settings from flags. */
async function health(
  { store, ...flags }: Partial<Record<SettingName, string>> & { readonly store: string },
  ready = false,
): Promise<string> {
  await using place = openPlace(storeAt(store));
  return await checkHealth(place, resolveSettings({ flags, environment: {} }), { ready });
}

test('a service is found by its data directory, at whatever port and path it listens', async () => {
  await using directory = await temporaryDirectory();
  const store = directory.path;
  await using service = await startService({ ...quiet, store, basePath: '/precios' });
  assert.equal(await health({ store }), `${service.url}/healthz`);
  const { code, stdout, stderr } = await runPizarra(['health', '--store', store]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.equal(stdout, `${service.url}/healthz responds.\n`);
  // It is alive, but without data it is not ready.
  await assert.rejects(health({ store }, true), /readyz responds with status 503: \{/);
});

test('a service with TLS on both listeners is healthy too', async (t) => {
  await using directory = await temporaryDirectory();
  const store = join(directory.path, 'data');
  const certificate = makeCertificate();
  if (certificate === undefined) return t.skip('openssl is not installed');
  const tls = { tlsCert: join(directory.path, 'cert'), tlsKey: join(directory.path, 'key') };
  await writeFile(tls.tlsCert, certificate.cert);
  await writeFile(tls.tlsKey, certificate.key);
  await using service = await startService({ ...quiet, store, ...tls, privateHost: '0.0.0.0' });
  assert.match(service.url, /^https:/);
  assert.equal(await health({ store }), `${service.url}/healthz`);
  await assert.rejects(health({ store }, true), /^OperatorFault: https:.*\/readyz responds with/);
});

test('of a service that could not publish its address, the configured one is asked, and a fault is an exit code of 1', async (t) => {
  await using directory = await temporaryDirectory();
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? 500 : 404;
    response.end('broken');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const store = join(directory.path, 'data');
  using _ = claimDirectory(store);
  await assert.rejects(health({ store, port }), /:\d+\/healthz responds with status 500: broken$/);
  server.close();
  server.closeAllConnections();
  await assert.rejects(health({ store, port }), (fault) => {
    assert.ok(fault instanceof OperatorFault);
    assert.equal(fault.message, `No service responds at http://127.0.0.1:${port}/healthz.`);
    return true;
  });
  const { code, stdout } = await runPizarra(['health', '--store', store, '--port', port]);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
});

test('a dead service is not healthy, also when another program has its port', async (t) => {
  await using directory = await temporaryDirectory();
  const server = createServer((_, response) => response.end('{"estado":"ok"}')).listen(0);
  t.after(() => server.close());
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const store = join(directory.path, 'data');
  const refused = /^OperatorFault: No service runs on .*data\. If it runs on another place/;
  await assert.rejects(health({ store, port, privatePort: port }), refused);
  await assert.rejects(health({ store, port, privatePort: port }, true), refused);
  await (await startService({ ...quiet, store }))[Symbol.asyncDispose]();
  await assert.rejects(health({ store, port }), refused, 'stopped');
});

test('with a database, the service is asked at its configured address, whatever the database does', async (t) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end('{"estado":"ok"}');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const at = String((server.address() as AddressInfo).port);
  // Nothing listens on the port of this database.
  const store = 'postgres://nobody@127.0.0.1:1/none?sslmode=disable';
  const origin = `http://127.0.0.1:${at}`;
  assert.equal(
    await health({ store, role: 'serve', port: at, basePath: '/precios' }),
    `${origin}/precios/healthz`,
  );
  assert.equal(await health({ store, role: 'write', privatePort: at }), `${origin}/healthz`);
  assert.equal(await health({ store, privatePort: at }, true), `${origin}/readyz`);
  assert.deepEqual(asked, ['/precios/healthz', '/healthz', '/readyz']);
});
