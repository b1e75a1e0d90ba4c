import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startTestServer } from '../support/http/start-test-server.ts';
import { fieldsIn } from '../support/fields-in.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

before(() =>
  server.putCloses('DOLAR MEP', {
    '2024-02-27': 1_000,
    '2024-02-29': 1_250,
  }),
);

const aMonth = 'desde=2024-02-01&hasta=2024-03-31';
const inDollars = `/historicos?especie=AL30&${aMonth}&moneda=USD`;

test('contract 4.2.17: prices are divided by the dollar of the day or the last one before, and Cambio names it', async () => {
  const answer = await server.get(inDollars);
  assert.deepEqual(answer.json(), [
    { especie: 'AL30', fecha: '2024-02-28', ultimo: 46.200_123_45, volumen: 0 },
    { especie: 'AL30', fecha: '2024-02-29', ultimo: 37.56, volumen: 2_345_678 },
    { especie: 'AL30', fecha: '2024-03-01', ultimo: 37.6, volumen: null },
  ]);
  assert.equal(answer.header('cambio'), 'mep');
  assert.equal(answer.header('missing-cambios'), undefined);
});

test('contract 4.2.17: sessions without a dollar are left out and counted', async () => {
  const year = 'desde=2023-01-01&hasta=2024-12-31&moneda=USD';
  const one = await server.get(`/historicos?especie=AL30&${year}`);
  assert.equal((one.json() as readonly unknown[]).length, 3);
  assert.equal(one.header('missing-cambios'), '1');
  const both = await server.get(`/historicos?especie=AL30,DOLAR+MEP&${year}&forma=larga`);
  assert.equal((both.json() as readonly unknown[]).length, 5);
  assert.equal(both.header('missing-cambios'), '1');
  const blue = await server.get(`/historicos?especie=AL30&${year}&dolar=blue`);
  assert.deepEqual(blue.json(), []);
  assert.equal(blue.header('cambio'), 'blue');
});

test('contract 4.2.17: a wide table, weeks and conocido are in the currency, too', async () => {
  const wide = await server.get(`${inDollars}&forma=ancha&intervalo=1mes`);
  assert.deepEqual(wide.json(), [
    { fecha: '2024-02-29', AL30: 37.56 },
    { fecha: '2024-03-01', AL30: 37.6 },
  ]);
  const known = await server.get(`${inDollars}&conocido=2026-11-20T00:00:00Z`);
  assert.equal(known.status, 200);
  assert.equal(known.header('cambio'), 'mep');
});

test('contract 4.2.17: prices in the wanted currency have the bytes of a request without it', async () => {
  const [plain, same] = await Promise.all([
    server.get(`/historicos?especie=AL30&${aMonth}`),
    server.get(`/historicos?especie=AL30&${aMonth}&moneda=ARS`),
  ]);
  assert.equal(same.body, plain.body);
});

test('contract 4.2.17: a correction of the dollar is served at once', async () => {
  await server.putCloses('DOLAR MEP', { '2024-02-29': 1_000 });
  const rows = (await server.get(inDollars)).json() as readonly { readonly ultimo: number }[];
  assert.deepEqual(fieldsIn(rows, 'ultimo'), [46.200_123_45, 46.95, 47]);
});

test('contract 4.2.17: the response for an unknown ticker has Cambio, too', async () => {
  const unknown = await server.get(`/historicos?especie=NADA&${aMonth}&moneda=USD&dolar=ccl`);
  assert.deepEqual(unknown.json(), []);
  assert.equal(unknown.header('missing-especies'), 'NADA');
  assert.equal(unknown.header('cambio'), 'ccl');
});

test('contract 4.2.17: dolar alone is ignored', async () => {
  const ignored = await server.get(`/historicos?especie=AL30&${aMonth}&dolar=nada`);
  assert.equal(ignored.status, 200);
});
