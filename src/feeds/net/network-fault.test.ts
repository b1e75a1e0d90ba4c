import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfStatus, networkFault, parseRetryAfter } from './network-fault.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const url = new URL('https://source.test/v1/prices?key=secret-key');

test('Retry-After is a number of seconds or a date, and a day at most', () => {
  for (const [text, ms] of [
    ['7', 7_000],
    [' 0 ', 0],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['99999999', 86_400_000],
    ['Sun, 20 Nov 2089 12:00:00 GMT', 86_400_000],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(parseRetryAfter(text, now), ms, String(text));
  }
});

test('a status decides whether a retry makes sense', () => {
  const codes = [200, 302, 400, 401, 403, 404, 408, 410, 418, 429, 451, 500, 503].map(
    (status) => `${status} ${faultOfStatus(url, { status, retryAfter: null, now }).code}`,
  );
  assert.deepEqual(codes, [
    '200 unintelligible',
    '302 unintelligible',
    '400 invalid-request',
    '401 refused',
    '403 refused',
    '404 invalid-request',
    '408 unavailable',
    '410 invalid-request',
    '418 limited',
    '429 limited',
    '451 refused',
    '500 unavailable',
    '503 unavailable',
  ]);
});

test('a fault names the server, the path and the reason, and never the query', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const fetchFault = new TypeError('fetch failed', { cause: reset });
  for (const fault of [
    faultOfStatus(url, { status: 500, retryAfter: null, now }),
    networkFault(url, fetchFault),
  ]) {
    assert.match(fault.message, /https:\/\/source\.test\/v1\/prices/);
    assert.doesNotMatch(fault.message, /secret-key/);
  }
  assert.match(networkFault(url, fetchFault).message, /ECONNRESET/);
  const late = new Error('Opening handshake has timed out');
  assert.match(
    networkFault(url, late).message,
    /cannot be reached: Opening handshake has timed out$/,
  );
});
