import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import { exchangeRaw } from '../support/raw-http.ts';
import { startTestServer } from '../support/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const everything = '/cotizaciones?panel=LIDGEN&especie=AL30,GD30,BTC,MERVAL,RIESGO+PAIS,AAPL';
const history = '/historicos?especie=AL30&desde=2023-01-01&hasta=2024-12-31';

/** Plain unless the headers say otherwise; `fetch` would ask for gzip by itself. */
function get(target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return server.get(target, { method, headers: { 'accept-encoding': 'identity', ...headers } });
}

/** As `get`, without a client that decompresses by itself. */
async function getPlain(target: string, headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return exchangeRaw(
    server.port,
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
      `Authorization: Bearer ${server.key}\r\n${lines.join('')}\r\n`,
  );
}

for (const target of ['/cotizaciones?especie=GGAL', everything, history]) {
  test(`${target}: one who sends back the ETag gets 304 with the same validators and no body`, async () => {
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

  test(`${target}: HEAD says what GET says, with no body`, async () => {
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

  test(`${target}: CSV and JSON have different strong ETags`, async () => {
    const [json, csv] = await Promise.all([get(target), get(target, { accept: 'text/csv' })]);
    assert.notEqual(json.header('etag'), csv.header('etag'));
    assert.match(json.header('vary') ?? '', /Accept, Accept-Encoding/);
  });
}

test('what a client must not take for another is not: private, and asked for again each time', async () => {
  assert.equal((await get(history)).header('cache-control'), 'private, no-cache');
});

test('each coding gives the same bytes, under an ETag of its own', async () => {
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

test('quality values choose the coding', async () => {
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

test('a short body is not compressed, unless the client refuses it plain', async () => {
  const target = '/cotizaciones?especie=GGAL';
  const plain = await getPlain(target, { 'accept-encoding': 'gzip' });
  assert.equal(plain.headers.get('content-encoding'), undefined);
  const gzipped = await getPlain(target, { 'accept-encoding': 'gzip, identity;q=0' });
  assert.equal(gzipped.headers.get('content-encoding'), 'gzip');
});

test('one who accepts no coding at all is answered 406', async () => {
  for (const accepted of ['identity;q=0', '*;q=0', 'deflate, identity;q=0']) {
    const answer = await get(everything, { 'accept-encoding': accepted });
    assert.equal(answer.status, 406, accepted);
  }
});

test('one who holds the plain form is not sent the compressed one when nothing changed', async () => {
  const plain = await get(everything, { 'accept-encoding': 'identity' });
  const headers = { 'accept-encoding': 'br', 'if-none-match': plain.header('etag') ?? '' };
  assert.equal((await get(everything, headers)).status, 304);
});

test('a date is looked at only where no tag was sent, and only when a whole second has passed', async () => {
  const future = new Date(Date.now() + 10 * 86_400_000).toUTCString();
  // The clock of the tests stands still in the second in which the series was read.
  const answer = await get(history, { 'if-modified-since': future });
  assert.equal(answer.status, 200);
  assert.equal(answer.header('last-modified'), undefined);
});

async function fetchBytes(target: string, headers: Readonly<Record<string, string>>) {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<{
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
