import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startTestServer } from '../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const refusal = (query: string) => server.refusal(`/historicos${query}`);

test('contract 4.2.2: the rows are in ascending order of fecha, and both dates are included', async () => {
  const answer = await server.get('/historicos?especie=al30&desde=2024-02-28&hasta=2024-03-01');
  assert.equal(answer.status, 200);
  assert.equal(
    answer.body,
    '[{"especie":"AL30","fecha":"2024-02-28","ultimo":46200.1235,"volumen":0},' +
      '{"especie":"AL30","fecha":"2024-02-29","ultimo":46950,"volumen":2345678},' +
      '{"especie":"AL30","fecha":"2024-03-01","ultimo":47000,"volumen":null}]',
  );
});

test('contract 4.2.2: a range may be one day', async () => {
  const answer = await server.get('/historicos?especie=AL30&desde=2024-02-29&hasta=2024-02-29');
  assert.equal((answer.json() as unknown[]).length, 1);
});

test('contract 2.2: volumen is null for an index', async () => {
  const answer = await server.get(
    '/historicos?especie=RIESGO+PAIS&desde=2024-01-01&hasta=2024-12-31',
  );
  assert.deepEqual(answer.json(), [
    { especie: 'RIESGO PAIS', fecha: '2024-02-29', ultimo: 1687, volumen: null },
  ]);
});

test('contract 4.2.3: an unknown ticker gets 200 with an empty array, and Missing-Especies names it', async () => {
  for (const name of ['no%20%C3%91', '__proto__', 'hasOwnProperty']) {
    const range = 'desde=2024-01-01&hasta=2024-12-31';
    const answer = await server.get(`/historicos?especie=${name}&${range}`);
    assert.deepEqual([answer.status, answer.body], [200, '[]'], name);
    assert.equal(answer.header('missing-especies'), name);
  }
});

test('contract 4.2.3: a range without data gets 200 with an empty array and no Missing-Especies', async () => {
  for (const ticker of ['AL30', 'NUEVA']) {
    const answer = await server.get(
      `/historicos?especie=${ticker}&desde=1999-01-01&hasta=1999-12-31`,
    );
    assert.equal(answer.body, '[]');
    assert.equal(answer.header('missing-especies'), undefined);
  }
});

test('contract 4.2.4: the longest possible range gets 200', async () => {
  const answer = await server.get('/historicos?especie=AL30&desde=0001-01-01&hasta=9999-12-31');
  assert.equal((answer.json() as unknown[]).length, 4);
});

test('contract 4.2.1: the first problem of a request is reported', async () => {
  const range = 'especie=AL30&desde=2024-01-01&hasta=2024-12-31';
  assert.match(await refusal('?ajuste=x&campos=x&especie=AL30&desde=2024-01-01'), /«hasta»/);
  assert.match(await refusal(`?${range}&campos=x&ajuste=x`), /del parámetro «ajuste»/);
});
