import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';

const trusting = await startTestServer({
  transport: { proxies: addressRanges(['127.0.0.1', '10.0.0.0/8']) },
});
const other = await startTestServer({ transport: { proxies: addressRanges(['10.0.0.0/8']) } });
after(async () => {
  await trusting[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

/** The client's address in the access log, for a request with these headers. */
async function clientOf(
  server: TestServer,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  await server.get('/cotizaciones?especie=GGAL', { headers, authorization: 'Bearer wrong' });
  return server.logged.findLast(({ message }) => message === 'answered')?.['remote'];
}

test('the forwarded headers of a named proxy are trusted: Forwarded and X-Forwarded-For', async () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
    [{ 'x-forwarded-for': '192.0.2.1, 10.1.2.3' }, '192.0.2.1'],
    [{ 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
    [{ forwarded: 'for=192.0.2.1;proto=https;by=10.0.0.1' }, '192.0.2.1'],
    [{ forwarded: 'For="[2001:db8::7]:4711"' }, '2001:db8::7'],
    [{ forwarded: 'for=192.0.2.1, for=10.9.9.9' }, '192.0.2.1'],
    [{ forwarded: 'for=192.0.2.1', 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
    [{}, '127.0.0.1'],
  ];
  for (const [headers, client] of cases) {
    assert.equal(await clientOf(trusting, headers), client, JSON.stringify(headers));
  }
});

test('forwarded values that the client itself added are ignored', async () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    // The client wrote the first address, and the proxy added the last one.
    [{ 'x-forwarded-for': '8.8.8.8, 192.0.2.1' }, '192.0.2.1'],
    [{ 'x-forwarded-for': '8.8.8.8, unknown, 192.0.2.1' }, '192.0.2.1'],
    [{ 'x-forwarded-for': '192.0.2.1, no-address' }, '127.0.0.1'],
    [{ 'x-forwarded-for': '' }, '127.0.0.1'],
    [{ forwarded: 'for=_hidden' }, '127.0.0.1'],
    [{ forwarded: 'rubbish;;==' }, '127.0.0.1'],
    // A proxy that sets one of the headers passes the other one on as the client wrote it.
    [{ forwarded: 'for=8.8.8.8', 'x-forwarded-for': '192.0.2.1' }, '127.0.0.1'],
  ];
  for (const [headers, client] of cases) {
    assert.equal(await clientOf(trusting, headers), client, JSON.stringify(headers));
  }
});

test('the forwarded headers of other peers are ignored', async () => {
  for (const headers of [{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.1' }]) {
    assert.equal(await clientOf(other, headers), '127.0.0.1');
  }
});

async function saying(
  server: TestServer,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return (await server.get('/healthz', { headers })).header('strict-transport-security');
}

test('Strict-Transport-Security is sent when a named proxy reports that the client used TLS', async () => {
  assert.ok(await saying(trusting, { 'x-forwarded-proto': 'https' }));
  assert.ok(await saying(trusting, { forwarded: 'for=192.0.2.1;proto=https' }));
  assert.equal(await saying(trusting, { 'x-forwarded-proto': 'http' }), undefined);
  // Only the header that the proxy sets is trusted, not the other one, which the client may have written.
  const forged = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1;proto=https' };
  assert.equal(await saying(trusting, forged), undefined);
  assert.equal(await saying(trusting, { ...forged, 'x-forwarded-proto': 'http' }), undefined);
  assert.equal(await saying(trusting, {}), undefined);
  assert.equal(await saying(other, { 'x-forwarded-proto': 'https' }), undefined);
});
