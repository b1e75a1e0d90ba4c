import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { exchangeRaw } from '../../support/http/raw-http.ts';
import { startTestServer, testNow } from '../../support/http/start-test-server.ts';
import { clockAt } from '../../support/market/clock-at.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const everything = '/cotizaciones?panel=LIDGEN&especie=AL30,GD30,BTC,MERVAL,RIESGO+PAIS,AAPL';
const history = '/historicos?especie=AL30&desde=2023-01-01&hasta=2024-12-31';

/** Requests an uncompressed response unless `headers` differ. By default, `fetch` requests gzip. */
function get(target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return server.get(target, { method, headers: { 'accept-encoding': 'identity', ...headers } });
}

/** As `get`, but with a client that does not decompress the body. */
async function getPlain(target: string, headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return exchangeRaw(
    server.port,
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
      `Authorization: Bearer ${server.key}\r\n${lines.join('')}\r\n`,
  );
}

test('contract 4.5.5: quality values select the content encoding', async () => {
  const cases = [
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['zstd;q=0.9, br;q=0.8, identity;q=0.1', 'zstd'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['*', 'br'],
  ] as const;
  for (const [accepted, coding] of cases) {
    const answer = await getPlain(everything, { 'accept-encoding': accepted });
    assert.equal(answer.headers.get('content-encoding'), coding, accepted);
  }
});

test('contract 4.5.5: a short body is compressed only if the client refuses the identity encoding', async () => {
  const target = '/cotizaciones?especie=GGAL';
  const plain = await getPlain(target, { 'accept-encoding': 'gzip' });
  assert.equal(plain.headers.get('content-encoding'), undefined);
  const gzipped = await getPlain(target, { 'accept-encoding': 'gzip, identity;q=0' });
  assert.equal(gzipped.headers.get('content-encoding'), 'gzip');
});

test('contract 4.5.4: the ETag of the uncompressed form gets 304 also when the client accepts compression', async () => {
  const plain = await get(everything, { 'accept-encoding': 'identity' });
  const headers = { 'accept-encoding': 'br', 'if-none-match': plain.header('etag') ?? '' };
  assert.equal((await get(everything, headers)).status, 304);
});

test('contract 4.5.4: Last-Modified is sent once its second is over, and an equal or later date gets 304', async () => {
  let now = testNow;
  await using own = await startTestServer({ clock: clockAt(() => now) });
  const ask = (headers: Readonly<Record<string, string>> = {}) => own.get(history, { headers });
  assert.equal((await ask()).header('last-modified'), undefined);
  const future = new Date(testNow + 86_400_000).toUTCString();
  assert.equal((await ask({ 'if-modified-since': future })).status, 200);

  now += 1_000;
  const answer = await ask();
  const lastModified = answer.header('last-modified') ?? '';
  assert.equal(Date.parse(lastModified), testNow + 1_000);
  const unchanged = await ask({ 'if-modified-since': lastModified });
  assert.equal(unchanged.status, 304);
  assert.equal(unchanged.header('etag'), answer.header('etag'));
  const older = new Date(testNow).toUTCString();
  assert.equal((await ask({ 'if-modified-since': older })).status, 200);
  assert.equal((await ask({ 'if-modified-since': 'yesterday' })).status, 200);
  // With If-None-Match, If-Modified-Since is ignored (RFC 9110 13.2.2).
  const both = { 'if-modified-since': lastModified, 'if-none-match': '"x"' };
  assert.equal((await ask(both)).status, 200);
});

test('a response contains a correction of history as soon as the process knows it', async () => {
  let now = testNow;
  await using own = await startTestServer({ clock: clockAt(() => now) });
  const before = await own.get(history);
  await own.putCloses('AL30', { '2024-02-29': 12_345 });
  now += 2_000;
  const headers = { 'if-none-match': before.header('etag') ?? '' };
  const corrected = await own.get(history, { headers });
  assert.equal(corrected.status, 200);
  assert.match(corrected.body, /"fecha":"2024-02-29","ultimo":12345,"volumen":null/);
});
