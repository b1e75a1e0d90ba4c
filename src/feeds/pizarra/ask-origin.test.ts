import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FeedFault } from '../contract/feed.ts';
import { explained, originUrl } from './ask-origin.ts';

test('a base path precedes the path of a request, with and without a slash at its end', () => {
  const params = { especie: 'DOLAR MEP,AL30', campos: 'compra' };
  for (const base of [
    'https://p.example/v5',
    'https://p.example/v5/',
    'https://p.example/v5//#x',
  ]) {
    assert.equal(
      originUrl(base, '/cotizaciones', params).href,
      'https://p.example/v5/cotizaciones?especie=DOLAR+MEP%2CAL30&campos=compra',
    );
  }
  assert.equal(originUrl('http://p:1', '/healthz', {}).href, 'http://p:1/healthz');
});

/** The message for a status, with the body of the response. */
function messageOf(status: number | undefined, body = ''): string {
  const fault = new FeedFault('refused', 'it failed', { status, retryAfterMs: 7 });
  const { message, code, retryAfterMs, ...rest } = explained({ fault, body });
  assert.deepEqual([code, retryAfterMs, rest.status], ['refused', 7, status]);
  return message;
}

test('the fault of a status says what to do, with the text of the origin', () => {
  assert.match(messageOf(400), /^it failed; it may be an older version/);
  assert.match(messageOf(401), /^it failed; its key .* another scope than read: create one there/);
  assert.match(messageOf(403), /plain HTTP .* https:/);
  assert.match(messageOf(404), /url is the part before \/cotizaciones/);
  assert.match(messageOf(429, '{"error":"Demasiadas."}'), /^it failed \(Demasiadas\.\); the plan/);
  assert.equal(messageOf(503, '{"error":"Se detiene."}'), 'it failed (Se detiene.)');
  assert.equal(messageOf(503, '<html>'), 'it failed');
  assert.equal(messageOf(undefined), 'it failed');
});

test('a certificate that cannot be verified is answered with the setting that helps', () => {
  const fault = new FeedFault('untrusted', 'the certificate cannot be verified');
  assert.match(explained({ fault, body: '' }).message, /; name the file of its authority as ca$/);
});
