import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

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
