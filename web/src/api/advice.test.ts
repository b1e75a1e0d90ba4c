import assert from 'node:assert/strict';
import { test } from 'node:test';

import { adviceFor } from './advice.ts';

test('every error says what to do, with the wait that the service requests', () => {
  for (const status of [400, 401, 403, 404, 405, 406, 408, 414, 429, 431, 500, 502, 503])
    assert.ok(adviceFor(status, undefined), String(status));
  for (const status of [200, 304]) assert.equal(adviceFor(status, undefined), undefined);
  assert.match(adviceFor(429, '7') ?? '', /^Esperar 7 s /);
});
