import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { sampleUniverse } from '../support/sample-market.ts';
import { startTestServer } from '../support/start-test-server.ts';

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
