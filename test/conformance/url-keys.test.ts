import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { testNow } from '../support/http/start-test-server.ts';
import { startCarriers } from './carriers.ts';

/** Keys in URLs (contract 5.5) over every carrier: the fast path, Node's parser, TLS and HTTP/2. */

const carriers = await startCarriers({ urlKeys: true, accessLog: 'all' });
after(() => carriers[Symbol.asyncDispose]());

for (const carrier of carriers.all) {
  test(`${carrier.name}: a key in the URL gets what a key in the header gets, no other response, and never into the log`, async () => {
    const { server } = carrier;
    const key = await server.issue({ scope: 'url', expiresAt: testNow + 1 });
    const ask = (target: string, method = 'GET') => carrier.send({ method, target, key: 'none' });
    for (const target of ['/cotizaciones?panel=LID', '/especies.txt', '/mercados?formato=csv']) {
      const expected = await carrier.send({ target });
      // The second request comes with the same bytes, which a carrier may remember.
      for (const method of ['GET', 'GET', 'HEAD']) {
        const answer = await ask(`/clave/${key}${target}`, method);
        assert.equal(answer.status, 200, target);
        assert.equal(answer.header('etag'), expected.header('etag'));
        assert.deepEqual(answer.body, method === 'HEAD' ? Buffer.alloc(0) : expected.body);
        assert.equal(answer.header('cache-control'), 'private, no-store');
        assert.equal(answer.header('referrer-policy'), 'no-referrer');
      }
    }
    for (const [target, method, status] of [
      [`/clave/${server.key}/especies.txt`, 'GET', 401],
      [`/clave/${key}x/especies.txt`, 'GET', 401],
      [`/clave/${key}/cotizaciones/stream?panel=LID`, 'GET', 404],
      [`/clave/${key}/healthz`, 'HEAD', 404],
      [`/clave/${key}/especies.txt`, 'POST', 405],
      [`/clave/${key}/cotizaciones?panel=NADA`, 'GET', 400],
      [`/clave/${key}/cotizaciones?x=${'x'.repeat(17_000)}`, 'GET', 414],
    ] as const) {
      const answer = await ask(target, method);
      assert.equal(answer.status, status, target);
      assert.equal(answer.header('cache-control'), 'private, no-store', target);
    }
    const both = await carrier.send({ target: `/clave/${key}/especies.txt` });
    assert.equal(both.status, 401);
    await server.revoke(key);
    assert.equal((await ask(`/clave/${key}/especies.txt`)).status, 401, 'revoked');
    const logged = JSON.stringify(server.logged);
    assert.ok(logged.includes('/especies.txt'));
    for (const one of [key, server.key]) assert.ok(!logged.includes(one.slice(4)));
  });
}
