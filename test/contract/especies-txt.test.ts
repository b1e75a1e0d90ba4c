import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { panelCodes } from '../../src/domain/instruments/panel.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { once } from '../support/wait.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

test('contract 4.3.1: the list is text with one ticker per line, in the order of the universe', async () => {
  const answer = await server.get('/especies.txt');
  assert.equal(answer.status, 200);
  assert.equal(answer.header('content-type'), 'text/plain; charset=utf-8');
  const lines = sampleUniverse.instruments.map(({ ticker }) => `${ticker}\n`);
  assert.equal(answer.body, lines.join(''));
});

test('contract 4.3.1: panel selects the members of one panel, with or without a quote', async () => {
  assert.equal((await server.get('/especies.txt?otro=x&panel=LID')).body, 'YPFD\nGGAL\nNUEVA\n');
  const [whole, other] = [
    await server.get('/especies.txt'),
    await server.get('/especies.txt?Panel=LID'),
  ];
  assert.equal(other.body, whole.body);
});

test('contract 4.3.1: an unknown or repeated panel gets 400', async () => {
  for (const value of ['lid', '', '%zz', 'LID%00']) {
    const answer = await server.get(`/especies.txt?panel=${value}`);
    assert.equal(answer.status, 400);
    assert.ok(answer.body.includes(`El panel «${value}» no existe`), answer.body);
    assert.ok(answer.body.includes(panelCodes.join(', ')), answer.body);
  }
  assert.equal((await server.get('/especies.txt?panel')).status, 400);
  const twice = await server.get('/especies.txt?panel=LID&panel=LID');
  assert.match(twice.body, /«panel» se envió más de una vez/);
});

test('contract 5.1: /especies.txt needs a key', async () => {
  assert.equal((await server.get('/especies.txt', { authorization: null })).status, 401);
});

for (const target of ['/especies.txt', '/especies.txt?panel=LID', '/especies.txt?panel=IND']) {
  test(`contract 4.5.4, 4.5.1: ${target}: the current ETag gets 304, and HEAD has the headers of GET`, async () => {
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

test('contract 4.5.5: the list is compressed for clients that accept it; one that accepts no encoding gets 406', async () => {
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
