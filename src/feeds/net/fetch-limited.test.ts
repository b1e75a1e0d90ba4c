import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { SourceServer } from '../../../test/support/http/source-server.ts';
import { createFetch } from './fetch-limited.ts';

// What the source suite (test/feeds/sources/source-suite.ts) proves for every source is not repeated here.

const timeout = 600_000;
const fetchLimited = createFetch({ clock: clockAt(() => 0) });

test('a redirect within the same server is followed, with the key', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  server.respond = ({ url, headers }, response) => {
    if (url === '/old') response.writeHead(301, { location: '/new' }).end();
    else response.end(`${url} ${String(headers['x-key'])}`);
  };
  const url = new URL('/old', server.url);
  const fetched = await fetchLimited({ url, headers: { 'x-key': 'abc' } }, t.signal);
  assert.ok(!fetched.isUnchanged);
  assert.equal(fetched.text, '/new abc');
});

test('a redirect to another port of the same host is not followed', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  await using other = await SourceServer.start();
  server.respond = (_, response) => response.writeHead(302, { location: other.url }).end();
  const url = new URL(server.url);
  await assert.rejects(fetchLimited({ url }, t.signal), { code: 'unintelligible' });
  assert.deepEqual(other.requests, []);
});

test(
  'a compressed body is read as text, and cut letters are put together',
  { timeout },
  async (t) => {
    await using server = await SourceServer.start();
    const text = 'dólar '.repeat(10_000);
    for (const [encoding, body] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
    ] as const) {
      server.respond = (_, response) => {
        response.writeHead(200, { 'content-encoding': encoding });
        // One byte after the other, so that every letter is cut somewhere.
        for (const byte of body) response.write(Buffer.from([byte]));
        response.end();
      };
      const fetched = await fetchLimited({ url: new URL(server.url) }, t.signal);
      assert.ok(!fetched.isUnchanged);
      assert.equal(fetched.text, text, encoding);
    }
  },
);

test('the age, the type and the validators of a response are given', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  const lastModified = 'Fri, 20 Nov 2026 12:00:00 GMT';
  const fields = {
    age: '45',
    'content-type': 'Application/JSON; charset=utf-8',
    etag: 'W/"7"',
    'last-modified': lastModified,
  };
  server.respond = (_, response) => response.writeHead(200, fields).end('[]');
  assert.deepEqual(await fetchLimited({ url: new URL(server.url) }, t.signal), {
    isUnchanged: false,
    text: '[]',
    contentType: 'application/json',
    ageMs: 45_000,
    validators: { etag: 'W/"7"', lastModified },
  });
  server.respond = (_, response) => response.writeHead(200, { age: '-3 days' }).end('[]');
  const odd = await fetchLimited({ url: new URL(server.url) }, t.signal);
  assert.ok(!odd.isUnchanged && odd.ageMs === 0, 'what is no age counts as none');
});

test('known validators are sent, and 304 means unchanged', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  server.respond = (_, response) => response.writeHead(304, { age: '30' }).end();
  const known = { etag: '"1"', lastModified: 'Fri, 20 Nov 2026 12:00:00 GMT' };
  const fetched = await fetchLimited({ url: new URL(server.url), known }, t.signal);
  assert.deepEqual(fetched, { isUnchanged: true, ageMs: 30_000 });
  assert.equal(server.requests[0]?.headers['if-none-match'], known.etag);
  assert.equal(server.requests[0]?.headers['if-modified-since'], known.lastModified);
});

test('stopping ends a request at once, with the reason of the signal', { timeout }, async () => {
  await using server = await SourceServer.start();
  const stopping = new AbortController();
  server.respond = () => stopping.abort(new Error('the service stops'));
  await assert.rejects(
    fetchLimited({ url: new URL(server.url) }, stopping.signal),
    /the service stops/,
  );
});

test('a body is sent with POST', { timeout }, async (t) => {
  await using server = await SourceServer.start();
  server.respond = ({ method, body }, response) => response.end(`${method} ${body}`);
  const request = { url: new URL(server.url), method: 'POST', body: '{"page":1}' } as const;
  const fetched = await fetchLimited(request, t.signal);
  assert.ok(!fetched.isUnchanged);
  assert.equal(fetched.text, 'POST {"page":1}');
});
