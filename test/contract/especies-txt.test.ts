import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { sampleUniverse } from '../support/sample-market.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { once } from '../support/wait.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

test('4.3 and row 16: the list is text, one ticker a line in the order of the universe', async () => {
  const answer = await server.get('/especies.txt');
  assert.equal(answer.status, 200);
  assert.equal(answer.header('content-type'), 'text/plain; charset=utf-8');
  const lines = sampleUniverse.instruments.map(({ ticker }) => `${ticker}\n`);
  assert.equal(answer.body, lines.join(''));
});

test('row 16: panel gives the list of one panel, quoted or not', async () => {
  assert.equal((await server.get('/especies.txt?panel=LID')).body, 'YPFD\nGGAL\nNUEVA\n');
});

test('row 16: a panel that does not exist, or is repeated, answers 400 as elsewhere', async () => {
  for (const query of ['panel=lid', 'panel=', 'panel=LID&panel=LID', 'panel=%zz']) {
    assert.equal((await server.get(`/especies.txt?${query}`)).status, 400);
  }
});

test('5.6: the list needs the same key', async () => {
  assert.equal((await server.get('/especies.txt', { authorization: null })).status, 401);
});

for (const target of ['/especies.txt', '/especies.txt?panel=LID', '/especies.txt?panel=IND']) {
  test(`${target}: one who sends back the ETag gets 304, and HEAD says what GET says`, async () => {
    const first = await server.get(target);
    const etag = first.header('etag') ?? assert.fail('no ETag');
    const again = await server.get(target, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    assert.equal(again.body, '');
    const head = await server.get(target, { method: 'HEAD' });
    assert.equal(head.body, '');
    for (const name of ['etag', 'content-length', 'content-type', 'vary']) {
      assert.equal(head.header(name), first.header(name), name);
    }
  });
}

test('the list is compressed for clients that accept it, and 406 for those that accept no coding', async () => {
  const whole = await server.get('/especies.txt', { headers: { 'accept-encoding': 'identity' } });
  for (const [coding, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const { port, key } = server;
    const headers = {
      authorization: `Bearer ${key}`,
      'accept-encoding': `${coding}, identity;q=0`,
    };
    const sent = get({ port, path: '/especies.txt', headers });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(response.headers['content-encoding'], coding);
    assert.equal(decode(await buffer(response)).toString(), whole.body);
  }
  const headers = { 'accept-encoding': 'identity;q=0' };
  assert.equal((await server.get('/especies.txt', { headers })).status, 406);
});
