import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startTestServer } from '../support/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

/** What every object of the language has; a careless look-up finds these. */
const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
];

test('row 4: a name of the language as a ticker is an unknown ticker', async () => {
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

test('row 8: a name of the language as a panel is an invalid panel', async () => {
  for (const name of prototypeNames) {
    for (const path of ['/cotizaciones', '/especies.txt']) {
      const answer = await server.get(`${path}?panel=${name}`);
      assert.equal(answer.status, 400, name);
      assert.match(answer.body, /LIDGEN/);
    }
  }
});

test('row 26: a name of the language as a path is an unknown path, and as a parameter is ignored', async () => {
  for (const name of prototypeNames) {
    assert.equal((await server.get(`/${name}`)).status, 404);
    const answer = await server.get(`/cotizaciones?${name}=x&especie=GGAL&${name}[a]=b`);
    assert.equal(answer.status, 200);
  }
});

test('7: NUL and bytes that are no UTF-8 in a parameter answer what the contract says, never 5xx', async () => {
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
