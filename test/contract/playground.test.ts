import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { readPlayground } from '../../src/http/content/playground-file.ts';
import { exchangeRaw } from '../support/http/raw-http.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

const script = 'console.log("pizarra");'.repeat(50);
const directory = await mkdtemp(join(tmpdir(), 'pizarra-playground-'));
await mkdir(join(directory, 'assets'));
await writeFile(join(directory, 'index.html'), '<!doctype html>');
await writeFile(join(directory, '.inputs'), 'not to be served');
await writeFile(join(directory, 'manifest.webmanifest'), '{}');
await writeFile(join(directory, 'service-worker.js'), script);
await writeFile(join(directory, 'assets/index-B3xQ.js'), script);
await writeFile(join(directory, 'assets/index-B3xQ.js.br'), brotliCompressSync(script));
await writeFile(join(directory, 'assets/index-B3xQ.js.gz'), gzipSync(script));
const playground = await readPlayground(directory);
const server = await startTestServer({ playground });
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const base = `http://127.0.0.1:${server.port}`;
const asset = `${base}/assets/index-B3xQ.js`;

test('contract 4.4.3: the pages of the playground need no key', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(`${base}/`, { method });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(await answer.text(), method === 'GET' ? '<!doctype html>' : '');
  }
});

test('a page may only run its own scripts, and is revalidated each time', async () => {
  const { headers } = await fetch(`${base}/`);
  const policy = headers.get('content-security-policy') ?? '';
  assert.ok(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"));
  assert.match(policy, /manifest-src 'self'; worker-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.equal(headers.get('cache-control'), 'no-cache');
});

test('a page may run the inline scripts that the build wrote into it, by their digests, and no other ones', async () => {
  const inline = 'console.log("early");';
  const page = `<!doctype html><script type="module" src="a.js"></script><script>${inline}</script>`;
  const folder = await mkdtemp(join(tmpdir(), 'pizarra-page-'));
  await writeFile(join(folder, 'index.html'), page);
  await using other = await startTestServer({ playground: await readPlayground(folder) });
  const { headers } = await fetch(`http://127.0.0.1:${other.port}/`);
  const digest = createHash('sha256').update(inline).digest('base64');
  const policy = headers.get('content-security-policy') ?? '';
  assert.ok(policy.includes(`; script-src 'self' 'sha256-${digest}'; style-src`), policy);
  await rm(folder, { recursive: true });
});

test('the service worker may only request files of its own service, and is revalidated each time', async () => {
  const { headers } = await fetch(`${base}/service-worker.js`);
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'");
  assert.equal(headers.get('cache-control'), 'no-cache');
});

test('the manifest, with which the page can be installed, has its own media type', async () => {
  const { headers } = await fetch(`${base}/manifest.webmanifest`);
  assert.equal(headers.get('content-type'), 'application/manifest+json');
});

test('an asset with a hash in its name is cached for a year without revalidation', async () => {
  const { headers } = await fetch(asset);
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(headers.get('vary')?.toLowerCase(), 'accept-encoding');
});

/** A request for an asset, with the `Accept-Encoding` line of the client. */
function assetRequest(accepted: string): string {
  return `GET /assets/index-B3xQ.js HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${accepted}\r\n`;
}

test('contract 4.5.5: an asset has the best content encoding that the client accepts', async () => {
  for (const [accepted, coding] of [
    ['', undefined],
    ['Accept-Encoding: gzip, deflate, br, zstd\r\n', 'br'],
    ['Accept-Encoding: gzip\r\n', 'gzip'],
    ['Accept-Encoding: br;q=0, gzip;q=0.5\r\n', 'gzip'],
  ] as const) {
    const { status, headers } = await exchangeRaw(server.port, assetRequest(accepted));
    assert.equal(status, 200);
    assert.equal(headers.get('content-encoding'), coding, accepted);
  }
  const none = await exchangeRaw(server.port, assetRequest('Accept-Encoding: *;q=0\r\n'));
  assert.equal(none.status, 406);
  assert.equal(await (await fetch(asset)).text(), script);
});

test('contract 4.5.4: a page or asset that the client has cached is not sent again', async () => {
  for (const url of [`${base}/`, asset]) {
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]+"$/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await fetch(url, { headers: { 'if-none-match': held } });
      assert.equal(answer.status, 304, held);
    }
    const changed = await fetch(url, { headers: { 'if-none-match': '"other"' } });
    assert.equal(changed.status, 200);
  }
});

test('no other file of the directory is served, and none outside it', async () => {
  for (const target of [
    '/index.html',
    '/.inputs',
    '/assets',
    '/assets/',
    '/assets/index-B3xQ.js.br',
    '/assets/../.inputs',
    '/..%2f..%2fpackage.json',
  ]) {
    const authorization = `Authorization: Bearer ${server.key}\r\n`;
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n${authorization}Connection: close\r\n\r\n`;
    assert.equal((await exchangeRaw(server.port, request)).status, 404, target);
  }
});

test('contract 1.2: the playground is below the base path, and redirects to the final slash that its links need', async () => {
  await using below = await startTestServer({ playground, basePath: '/v5' });
  const address = `http://127.0.0.1:${below.port}`;
  assert.equal((await fetch(`${address}/v5/`)).status, 200);
  const bare = await fetch(`${address}/v5`, { redirect: 'manual' });
  assert.equal(bare.status, 308);
  assert.equal(bare.headers.get('location'), '/v5/');
  assert.equal((await fetch(`${address}/`)).status, 401);
});

test('without a built playground its paths get 404, and the rest of the service works', async () => {
  assert.deepEqual(await readPlayground(join(directory, 'nothing')), []);
  await using bare = await startTestServer();
  assert.equal((await bare.get('/')).status, 404);
  assert.equal((await bare.get('/cotizaciones?panel=LID')).status, 200);
});
