import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startTestServer } from '../../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

/** Names of properties that every JavaScript object inherits. A careless look-up finds them. */
const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
];

test('contract 4.1.5: the name of an inherited property is an unknown ticker', async () => {
  for (const name of prototypeNames) {
    const quotes = await server.get(`/cotizaciones?especie=${name},GGAL`);
    assert.equal(quotes.status, 200, name);
    assert.equal((quotes.json() as unknown[]).length, 1);
    assert.equal(quotes.header('missing-especies')?.toLowerCase(), name.toLowerCase());
    const range = 'desde=2026-01-01&hasta=2026-12-31';
    const history = await server.get(`/historicos?especie=${name}&${range}`);
    assert.deepEqual([history.status, history.body], [200, '[]'], name);
  }
});

test('contract 4.5.1, 4.5.6: the name of an inherited property is an unknown path, and ignored as a parameter', async () => {
  for (const name of prototypeNames) {
    assert.equal((await server.get(`/${name}`)).status, 404);
    const answer = await server.get(`/cotizaciones?${name}=x&especie=GGAL&${name}[a]=b`);
    assert.equal(answer.status, 200);
  }
});

test('contract 7.1: NUL and invalid UTF-8 in a parameter get a response of the contract, never 5xx', async () => {
  for (const value of [
    '%00',
    'GGAL%00',
    '%00GGAL',
    '%C0%80',
    '%FF',
    '%C3%28',
    '%ED%A0%80',
    '%F5%80%80%80',
    '%',
    '%0',
    '%zz',
  ]) {
    for (const target of [
      `/cotizaciones?especie=${value}`,
      `/cotizaciones?panel=${value}`,
      `/historicos?especie=${value}&desde=2026-01-01&hasta=2026-12-31`,
      `/historicos?especie=GGAL&desde=${value}&hasta=2026-12-31`,
      `/especies.txt?panel=${value}`,
    ]) {
      const { status } = await server.get(target);
      assert.ok(status === 200 || status === 400, `${status} for ${target}`);
    }
  }
});
