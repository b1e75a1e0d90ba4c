import assert from 'node:assert/strict';
import { test } from 'node:test';

import { adviceFor } from './advice.ts';
import { rateLimitOf } from './rate-limit.ts';

test('what is left of the limit is read from the headers of a response', () => {
  const headers = [
    ['ratelimit', '"free";r=12;t=8'],
    ['ratelimit-policy', '"free";q=20;w=20'],
  ] as const;
  assert.deepEqual(rateLimitOf(headers), { remaining: 12, quota: 20, resetSeconds: 8 });
  assert.deepEqual(rateLimitOf([['ratelimit', '"r=3;q";r=0']]), { remaining: 0 });
  assert.equal(rateLimitOf([['content-type', 'text/plain;r=1']]), undefined);
});

test('every error says what to do, with the wait that the service requests', () => {
  for (const status of [400, 401, 403, 404, 405, 406, 408, 414, 429, 431, 500, 502, 503])
    assert.ok(adviceFor(status, undefined), String(status));
  for (const status of [200, 304]) assert.equal(adviceFor(status, undefined), undefined);
  assert.match(adviceFor(429, '7') ?? '', /^Esperar 7 s /);
});
