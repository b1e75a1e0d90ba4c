import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startTestServer } from '../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

async function refusal(query: string): Promise<string> {
  const answer = await server.get(`/historicos${query}`);
  assert.equal(answer.status, 400);
  return (answer.json() as { readonly error: string }).error;
}

test('contract 4.2.1: a missing parameter gets 400, and the error names it', async () => {
  assert.match(await refusal(''), /Falta el parámetro «especie»/);
  assert.match(await refusal('?desde=2024-01-01&hasta=2024-12-31'), /Falta el parámetro «especie»/);
  assert.match(await refusal('?especie=AL30&hasta=2024-12-31'), /Falta el parámetro «desde»/);
  assert.match(await refusal('?especie=AL30&desde=2024-12-31'), /Falta el parámetro «hasta»/);
  const all = { especie: 'AL30', desde: '2024-01-01', hasta: '2024-12-31' };
  for (const parameter of Object.keys(all)) {
    for (const blank of ['', '  ']) {
      const query = new URLSearchParams({ ...all, [parameter]: blank }).toString();
      assert.ok((await refusal(`?${query}`)).includes(`Falta el parámetro «${parameter}»`), query);
    }
  }
});

test('contract 4.2.1: a date that does not exist or has another format gets 400 with parameter and value', async () => {
  const values = ['2026-02-30', '2025-02-29', '2026-13-01', '0000-01-01', '-2026-01-01'];
  const formats = ['30/02/2024', '20260101', '2024-02-29T00:00:00', '2026-01-01 ', '2024-2-1'];
  for (const value of [...values, ...formats, 'ayer', '２０２６-01-01']) {
    const sent = encodeURIComponent(value);
    for (const [parameter, range] of [
      ['desde', `desde=${sent}&hasta=2026-12-31`],
      ['hasta', `desde=2020-01-01&hasta=${sent}`],
    ]) {
      const text = await refusal(`?especie=AL30&${range}`);
      assert.ok(text.includes(`«${value}» del parámetro «${parameter}»`), text);
    }
  }
});

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
  const answer = await server.get(
    '/historicos?especie=no+%C3%91&desde=2024-01-01&hasta=2024-12-31',
  );
  assert.equal(answer.status, 200);
  assert.equal(answer.body, '[]');
  assert.equal(answer.header('missing-especies'), 'no%20%C3%91');
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

test('contract 4.2.1: desde after hasta gets 400', async () => {
  const text = await refusal('?especie=AL30&desde=2024-03-02&hasta=2024-03-01');
  assert.match(text, /2024-03-02.*2024-03-01/);
});

test('contract 4.2.4: the longest possible range gets 200', async () => {
  const answer = await server.get('/historicos?especie=AL30&desde=0001-01-01&hasta=9999-12-31');
  assert.equal((answer.json() as unknown[]).length, 4);
});

test('contract 4.2.1: more than one ticker, in a list or as a second especie, gets 400', async () => {
  const range = 'desde=2024-01-01&hasta=2024-12-31';
  assert.match(await refusal(`?especie=AL30,GD30&${range}`), /«AL30,GD30»/);
  assert.match(await refusal(`?especie=AL30%2C&${range}`), /«AL30,»/);
  assert.match(await refusal(`?especie=AL30&especie=GD30&${range}`), /más de una vez/);
});

test('contract 4.2.1: a value that is not well encoded gets 400, and the first problem of a request is reported', async () => {
  const range = 'especie=AL30&desde=2024-01-01&hasta=2024-12-31';
  for (const parameter of ['hasta', 'ajuste', 'campos']) {
    const text = await refusal(`?${parameter}=%zz`);
    assert.ok(text.includes(`«${parameter}»`) && text.includes('no está bien codificado'), text);
  }
  assert.match(await refusal('?ajuste=x&campos=x&especie=AL30&desde=2024-01-01'), /«hasta»/);
  assert.match(await refusal(`?${range}&campos=x&ajuste=x`), /del parámetro «ajuste»/);
});
