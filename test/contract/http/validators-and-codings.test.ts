import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import { toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { exchangeRaw } from '../../support/http/raw-http.ts';
import { startTestServer, testNow } from '../../support/http/start-test-server.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { deferred } from '../../support/wait.ts';
import { testStamp } from '../../support/market/test-change.ts';

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

for (const target of ['/cotizaciones?especie=GGAL', everything, history]) {
  test(`contract 4.5.4: ${target}: a request with the current ETag gets 304 with the same validators and no body`, async () => {
    const first = await get(target);
    const etag = first.header('etag') ?? '';
    for (const held of [etag, `W/${etag}`, `"x", W/${etag} ,"y"`, '*']) {
      const again = await get(target, { 'if-none-match': held });
      assert.equal(again.status, 304, held);
      assert.equal(again.header('content-type'), undefined);
      for (const name of ['etag', 'vary', 'cache-control', 'missing-especies']) {
        assert.equal(again.header(name), first.header(name), name);
      }
    }
    assert.equal((await get(target, { 'if-none-match': '"x", "y"' })).status, 200);
    assert.equal((await get(target, { 'if-none-match': etag.replaceAll('"', '') })).status, 200);
  });

  test(`contract 4.5.1: ${target}: the response to HEAD has the headers of GET and no body`, async () => {
    const [asGet, asHead] = await Promise.all([get(target), get(target, {}, 'HEAD')]);
    assert.equal(asHead.body, '');
    for (const name of ['etag', 'content-length', 'content-type', 'vary', 'missing-especies']) {
      assert.equal(asHead.header(name), asGet.header(name), name);
    }
    assert.equal(Buffer.byteLength(asGet.body), Number(asGet.header('content-length')));
    const etag = asGet.header('etag') ?? '';
    const held = await get(target, { 'if-none-match': etag }, 'HEAD');
    assert.equal(held.status, 304);
  });

  test(`contract 4.5.4: ${target}: CSV and JSON have different strong ETags`, async () => {
    const [json, csv] = await Promise.all([get(target), get(target, { accept: 'text/csv' })]);
    assert.notEqual(json.header('etag'), csv.header('etag'));
    assert.match(json.header('vary') ?? '', /Accept, Accept-Encoding/);
  });
}

test('responses are private to a client, and caches revalidate them each time', async () => {
  assert.equal((await get(history)).header('cache-control'), 'private, no-cache');
});

test('contract 4.5.5: each content encoding decodes to the same bytes, and has its own ETag', async () => {
  const identity = await get(everything, { 'accept-encoding': 'identity' });
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };
  const tags = new Set([identity.header('etag')]);
  for (const [coding, decode] of Object.entries(decoders)) {
    const headers = { authorization: `Bearer ${server.key}`, 'accept-encoding': coding };
    const { bytes, answer } = await fetchBytes(everything, headers);
    assert.equal(answer.get('content-encoding'), coding);
    assert.equal(Number(answer.get('content-length')), bytes.length);
    assert.equal(decode(bytes).toString(), identity.body);
    tags.add(answer.get('etag') ?? '');
  }
  assert.equal(tags.size, 4);
});

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

test('a request that accepts no content encoding gets 406', async () => {
  for (const accepted of ['identity;q=0', '*;q=0', 'deflate, identity;q=0']) {
    const answer = await get(everything, { 'accept-encoding': accepted });
    assert.equal(answer.status, 406, accepted);
  }
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
  const day = toEpochDay('2024-02-29' as PlainDate);
  await own.store.history.transaction(
    (transaction) => transaction.put('AL30' as Ticker, [{ day, close: 12_345, volume: null }]),
    testStamp,
  );
  own.historyChanges.publish(['AL30' as Ticker]);
  now += 2_000;
  const headers = { 'if-none-match': before.header('etag') ?? '' };
  const corrected = await own.get(history, { headers });
  assert.equal(corrected.status, 200);
  assert.match(corrected.body, /"fecha":"2024-02-29","ultimo":12345,"volumen":null/);
});

async function fetchBytes(target: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = deferred<{
    readonly bytes: Buffer;
    readonly answer: ReadonlyMap<string, string>;
  }>();
  const sent = request({ port: server.port, path: target, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const names = Object.entries(response.headers);
      const answer = new Map(names.map(([name, value]) => [name, String(value)]));
      resolve({ bytes: Buffer.concat(chunks), answer });
    });
  });
  sent.on('error', reject).end();
  return promise;
}
