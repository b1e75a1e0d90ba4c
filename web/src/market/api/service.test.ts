import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fetchJson, reconnectNow, type Failure } from './service.ts';

const refused = (status: number): Failure => ({ kind: 'refused', status, message: 'no' });

test('a request is sent again while its failure may pass, and not after another refusal', async (t) => {
  Object.assign(globalThis, { document: { baseURI: 'http://pizarra.example/' } });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
  const statuses = [undefined, 429, 500, 400];
  t.mock.method(globalThis, 'fetch', async () => {
    const status = statuses.shift();
    if (status === undefined) throw new TypeError('no network');
    return new Response('{"error":"no"}', { status });
  });
  const passing: Failure[] = [];
  const outcome = await fetchJson('/cotizaciones?panel=LID', {
    onFailure: (failure) => {
      passing.push(failure);
      setImmediate(reconnectNow);
    },
  });
  assert.deepEqual(passing, [{ kind: 'unreachable' }, refused(429), refused(500)]);
  assert.deepEqual(outcome, { ok: false, failure: refused(400) });
});
