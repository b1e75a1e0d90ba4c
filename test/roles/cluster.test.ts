/** Nodes of a cluster in one process, over a PostgreSQL server of the test. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';

import type { EmbeddedService } from '../../src/embed/embedded-service.ts';
import { startService, type ServiceOptions } from '../../src/embed/start-service.ts';
import { createKey } from '../../src/node/keys/keys.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { close, put } from '../store/close-samples.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { launcher } from '../support/program/launcher.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { onServer } from '../support/postgres/on-server.ts';
import { startPostgres, type PostgresServer } from '../support/postgres/postgres-server.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { once, until } from '../support/wait.ts';

const skip = lacksPostgres();

function startNode(store: string, options: ServiceOptions = {}): Promise<EmbeddedService> {
  return startService({ store, port: 0, privatePort: 0, drainIdleMs: 0, ...options });
}

interface Got {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

async function ask(url: string, key: string, body?: string): Promise<Got> {
  const headers = { authorization: `Bearer ${key}` };
  const method = body === undefined ? 'GET' : 'POST';
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const json = (await response.json()) as Got['body'];
  return { status: response.status, body: json, headers: response.headers };
}

function push(node: EmbeddedService, key: string, last: number): Promise<Got> {
  const update = { ticker: 'BTC', at: new Date().toISOString(), last };
  return ask(`${node.privateUrl}/updates`, key, JSON.stringify(update));
}

/** The address to which a node that does not write sends programs that push. */
async function writerSeenBy(node: EmbeddedService, ingest: string): Promise<string | null> {
  const { status, headers } = await push(node, ingest, 1);
  assert.equal(status, 503);
  return headers.get('pizarra-writer');
}

function policyOf({ headers }: Got): string | null {
  return headers.get('ratelimit-policy');
}

async function priceAt(node: EmbeddedService, key: string): Promise<unknown> {
  const got = await ask(`${node.url}/cotizaciones?especie=BTC`, key);
  assert.equal(got.status, 200);
  return priceIn(got);
}

function priceIn({ body }: Got): unknown {
  return (body as unknown as readonly { readonly ultimo: number }[])[0]?.ultimo;
}

/** The health, over a connection of its own. */
async function healthOf({ url }: EmbeddedService): Promise<Got['body']> {
  const response = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
  return (await response.json()) as Got['body'];
}

async function checksOf(node: EmbeddedService): Promise<Record<string, { reason: string }>> {
  const { body } = await ask(`${node.privateUrl}/readyz`, '');
  return body['checks'] as Record<string, { reason: string }>;
}

async function untilPrice(nodes: readonly EmbeddedService[], key: string, price: number) {
  for (const node of nodes) {
    await until(`${price} at ${node.url}`, async () => {
      const got = await ask(`${node.url}/cotizaciones?especie=BTC`, key);
      // A key that another node has just created may not be known yet.
      assert.ok(got.status === 200 || got.status === 401, `status ${got.status}`);
      return priceIn(got) === price;
    });
  }
}

/** The URL for a user with the rights that docs/scaling.md gives to a node that only serves. */
async function userThatReads(server: PostgresServer, schema: string, url: string): Promise<string> {
  const document = await readFile(resolve(import.meta.dirname, '../../docs/scaling.md'), 'utf8');
  const rights = document.match(/^GRANT .*;$/gm) ?? [];
  assert.ok(rights.length > 1);
  await onServer(
    server,
    ['CREATE ROLE reader LOGIN;', ...rights].join('\n').replaceAll('pizarra', schema),
  );
  return url.replace(/pizarra@/, 'reader@');
}

/** The age of the data in a response of `/healthz`, in milliseconds. 0 when it has none. */
function ageOf({ edadMs }: Got['body']): number {
  return edadMs === undefined ? 0 : Number(edadMs);
}

describe('a cluster over PostgreSQL', { skip }, () => {
  test('one node writes, all serve, and another takes over when it stops', async () => {
    await using server = await startPostgres();
    const schema = server.unusedSchema();
    const store = server.url(schema);
    await using one = await startNode(store);
    const { key: ingest } = await one.createKey({ name: 'feed', scope: 'ingest' });
    const { key } = await one.createKey({ name: 'reader' });
    await using two = await startNode(store);
    const asReader = await userThatReads(server, schema, store);
    for (const writes of [true, false]) {
      await using place = openPlace(asReader);
      const { findings } = await place.examine({ writes });
      const about = findings.find(({ check }) => check === 'permissions');
      assert.equal(about?.state, writes ? 'wrong' : 'fine');
    }
    const logged: string[] = [];
    const note = (_: object, text: string): void => void logged.push(text);
    await using three = await startNode(asReader, {
      role: 'serve',
      log: { ...silentLog, warn: note, error: note },
    });

    assert.equal((await push(one, ingest, 100)).status, 200);
    await untilPrice([one, two, three], key, 100);
    for (const node of [two, three]) {
      const refused = await push(node, ingest, 101);
      assert.equal(refused.status, 503);
      assert.equal(refused.headers.get('retry-after'), '1');
      assert.equal(refused.headers.get('pizarra-writer'), one.privateUrl);
      assert.equal(refused.body['writer'], one.privateUrl);
      assert.match(String(refused.body['error']), new RegExp(`${one.privateUrl}/updates`));
    }
    assert.match((await checksOf(one))['claim']?.reason ?? '', /^this node writes, token 1$/);
    assert.match((await checksOf(two))['claim']?.reason ?? '', /^standing by, the writer is /);
    assert.equal((await checksOf(three))['claim']?.reason, 'this node only serves');

    const revoked = await two.createKey({ name: 'made elsewhere' });
    await until('known everywhere', async () => {
      const seen = await Promise.all(
        [one, two, three].map((node) => ask(`${node.url}/cotizaciones?especie=BTC`, revoked.key)),
      );
      return seen.every(({ status }) => status === 200);
    });

    await one.stop();
    await until('taken over', async () => (await push(two, ingest, 102)).status === 200);
    await untilPrice([two, three], key, 102);
    await using place = openPlace(store);
    const roles = (await place.nodes.live()).map(({ role }) => role);
    assert.deepEqual(roles, ['all', 'serve']);
    await three.stop();
    // Such as: could not store the last uses of keys.
    assert.deepEqual(
      logged.filter((text) => text.startsWith('could not')),
      [],
      'the user has the rights that it needs',
    );
  });

  test('programs that push are sent to the address that the writer advertises, and TLS there needs none on the public listener', async (t) => {
    const pair = makeCertificate();
    if (pair === undefined) return t.skip('openssl is not installed');
    const directory = await temporaryDirectory(t);
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    await writeFile(cert, pair.cert);
    await writeFile(key, pair.key);
    const privateTls = { privateHost: '0.0.0.0', privateTlsCert: cert, privateTlsKey: key };
    await using server = await startPostgres();
    const store = server.url(server.unusedSchema());
    // The first node that may write creates the schema.
    await (await startNode(store)).stop();
    await using other = await startNode(store, { role: 'serve' });
    const advertise = {
      advertise: 'https://node1.example',
      privateAdvertise: 'https://push.example',
    };
    for (const [options, wanted] of [
      [advertise, 'https://push.example'],
      [{}, `https://${hostname()}:`],
    ] as const) {
      await using one = await startNode(store, { ...privateTls, ...options });
      assert.match(one.url, /^http:\/\/127\.0\.0\.1:/);
      const { key: ingest } = await one.createKey({ name: 'feed', scope: 'ingest' });
      await until('the key is known', async () => (await push(other, ingest, 1)).status === 503);
      await until('the writer is known', async () => (await writerSeenBy(other, ingest)) !== null);
      const seen = (await writerSeenBy(other, ingest)) ?? '';
      assert.ok(seen.startsWith(wanted), seen);
      await using place = openPlace(store);
      const record = (await place.nodes.live()).find(({ role }) => role === 'all');
      assert.equal(record?.advertisedUrl, options === advertise ? advertise.advertise : one.url);
      const { port } = new URL(record?.privateUrl ?? '');
      assert.equal(record?.privateUrl, `https://0.0.0.0:${port}`, 'where the doctor reaches it');
    }
  });

  test('a node that is ready takes updates at once when no other node writes', async () => {
    await using server = await startPostgres();
    const store = server.url(server.unusedSchema());
    const { key } = await createKey(store, { name: 'feed', scope: 'ingest' });
    for (const last of [100, 101, 102]) {
      await using node = await startNode(store);
      const { status, body } = await push(node, key, last);
      assert.equal(status, 200, JSON.stringify(body));
    }
  });

  test('while the database is down, nodes serve quotes and what was read before, and say how old it is', async () => {
    await using server = await startPostgres();
    const store = server.url(server.unusedSchema());
    const logged: { readonly text: string; readonly details: object }[] = [];
    const note = (details: object, text: string): void => void logged.push({ details, text });
    const log = { ...silentLog, warn: note, error: note };
    const options = { keysStaleMaxSeconds: 3, log };
    await using one = await startNode(store, options);
    await using two = await startNode(store, { ...options, role: 'serve', workers: 2 });
    const { key: ingest } = await one.createKey({ name: 'feed', scope: 'ingest' });
    const { key } = await one.createKey({ name: 'reader' });
    // Each connection goes to one of the processes of the node.
    const askBoth = (): Promise<readonly Got[]> =>
      Promise.all(
        Array.from({ length: 16 }, () => ask(`${two.url}/cotizaciones?especie=BTC`, key)),
      );
    const areAll = async (wanted: number): Promise<boolean> =>
      (await askBoth()).every(({ status }) => status === wanted);
    await until('both processes know the key', () => areAll(200));
    assert.equal((await push(one, ingest, 100)).status, 200);
    await until('both processes show the price', async () =>
      (await askBoth()).every((got) => priceIn(got) === 100),
    );
    await untilPrice([one], key, 100);
    {
      await using place = openPlace(store);
      await using written = await place.open({ mode: 'write' });
      await put(written, 'BTC' as Ticker, [close('2026-11-18', 10), close('2026-11-19', 11)]);
    }
    const read = '/historicos?especie=BTC&desde=2026-11-18&hasta=2026-11-19';
    await until('the closes are read', async () => {
      const { body } = await ask(`${one.url}${read}`, key);
      return (body as unknown as readonly unknown[]).length === 2;
    });

    await server.kill();
    assert.equal((await ask(`${one.url}${read}`, key)).status, 200, 'a series that was read');
    for (const node of [one, two]) {
      assert.equal(await priceAt(node, key), 100);
      const path = '/historicos?especie=GGAL&desde=2026-01-01&hasta=2026-02-01';
      const history = await ask(`${node.url}${path}`, key);
      assert.equal(history.status, 503, 'a series that is not in memory');
      assert.equal(history.headers.get('retry-after'), '1');
    }
    for (const node of [one, two]) {
      await until('its quotes are old', async () => ageOf(await healthOf(node)) > 2_000);
    }
    const all = await Promise.all(Array.from({ length: 32 }, () => healthOf(two)));
    assert.deepEqual(
      all.filter((health) => ageOf(health) < 1_500),
      [],
    );
    assert.equal((await push(one, ingest, 101)).status, 503);
    await until('the keys are unconfirmed in both processes', () => areAll(503));
    assert.equal((await ask(`${two.url}/cotizaciones?especie=BTC`, 'x')).status, 503);

    const outages = logged.filter(({ text }) => text.startsWith('the store cannot be used'));
    assert.equal(outages.length, 3, 'once in each process');
    assert.ok(outages.every(({ details }) => !('err' in details)));
    const repeated = logged.filter(({ text }) => text.startsWith('could not'));
    assert.deepEqual(repeated, []);
    await server.start();
    await until('writes again', async () => (await push(one, ingest, 102)).status === 200);
    await until('the keys are confirmed in both processes', () => areAll(200));
    await untilPrice([one, two], key, 102);
  });

  test('with keyLimitsOver "cluster", the nodes divide the limit of a key, also while the database is down', async () => {
    await using server = await startPostgres();
    const store = server.url(server.unusedSchema());
    const options: ServiceOptions = {
      plans: { free: '10/day burst 20' },
      defaultPlan: 'free',
      failuresPerAddress: '10/day burst 7',
      keyLimitsOver: 'cluster',
    };
    await using one = await startNode(store, options);
    const { key } = await one.createKey({ name: 'reader' });
    const get = (node: EmbeddedService, of = key) =>
      ask(`${node.url}/cotizaciones?especie=BTC`, of);
    const half = '"free";q=10;w=172800';
    assert.equal(policyOf(await get(one)), '"free";q=20;w=172800');
    await using two = await startNode(store, { ...options, role: 'serve' });
    // A node that only writes serves no client.
    await using _ = await startNode(store, { ...options, role: 'write' });
    assert.equal(policyOf(await get(two)), half, 'at the first request');
    // Each attempt counts, so the first node is asked with another key.
    const { key: other } = await one.createKey({ name: 'other' });
    await until('divided at the first node', async () => policyOf(await get(one, other)) === half);

    const served = async (node: EmbeddedService): Promise<number> => {
      const statuses: number[] = [];
      for (let sent = 0; sent < 25; sent += 1) statuses.push((await get(node)).status);
      return statuses.filter((status) => status === 200).length;
    };
    // Two requests came before. The first node had 19 left, of which its smaller bucket holds 10.
    assert.deepEqual([await served(one), await served(two)], [10, 9]);
    await server.kill();
    for (const node of [one, two]) {
      const refused = await get(node);
      assert.equal(refused.status, 429);
      assert.equal(policyOf(refused), half);
      assert.equal(policyOf(await get(node, 'wrong')), '"failures";q=7;w=60480');
    }
  });

  test('a node that waits for its database ends at once when it is stopped', async () => {
    const where = ['--store', 'postgres://nobody@127.0.0.1:1/none', '--port', '0'];
    const child = spawn(process.execPath, [launcher, 'serve', ...where, '--private-port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] },
    });
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => void (log += chunk.toString()));
    const closed = once(child, 'close');
    await until('waits', async () => log.includes('store cannot be read yet'));
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
    assert.match(log, /service stopped before it was ready/);
  });

  test('over a data directory, a node that only serves or only writes is refused', async () => {
    await assert.rejects(
      startNode('./never', { role: 'serve' }),
      /--role serve requires a PostgreSQL/,
    );
  });
});
