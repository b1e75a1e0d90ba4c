import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startTestServer } from '../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const rows = (query: string) => server.rows(`/historicos?${query}`);

const aMonth = 'especie=AL30&desde=2024-02-01&hasta=2024-03-31';

test('contract 4.2.16: intervalo=1d gives the bytes of a request without it', async () => {
  const [plain, daily] = await Promise.all([
    server.get(`/historicos?${aMonth}`),
    server.get(`/historicos?${aMonth}&intervalo=1d`),
  ]);
  assert.equal(daily.body, plain.body);
  assert.equal(daily.header('etag'), plain.header('etag'));
});

test('contract 4.2.16: a week and a month have the close of their last session and the sum of known volumes', async () => {
  // Wednesday to Friday of one week, in two months. The volume of the last session is not known.
  assert.deepEqual(await rows(`${aMonth}&intervalo=1sem`), [
    { especie: 'AL30', fecha: '2024-03-01', ultimo: 47_000, volumen: 2_345_678 },
  ]);
  assert.deepEqual(await rows(`${aMonth}&intervalo=1mes`), [
    { especie: 'AL30', fecha: '2024-02-29', ultimo: 46_950, volumen: 2_345_678 },
    { especie: 'AL30', fecha: '2024-03-01', ultimo: 47_000, volumen: null },
  ]);
});

test('contract 4.2.16: only the sessions of the range count', async () => {
  assert.deepEqual(await rows('especie=AL30&desde=2024-02-01&hasta=2024-02-28&intervalo=1sem'), [
    { especie: 'AL30', fecha: '2024-02-28', ultimo: 46_200.1235, volumen: 0 },
  ]);
});

test('contract 4.2.16: both forms, conocido, CSV and an unknown ticker take intervalo', async () => {
  const both = 'especie=AL30,RIESGO+PAIS&desde=2024-02-01&hasta=2024-03-31&intervalo=1mes';
  assert.deepEqual(await rows(`${both}&forma=ancha`), [
    { fecha: '2024-02-29', AL30: 46_950, 'RIESGO PAIS': 1687 },
    { fecha: '2024-03-01', AL30: 47_000, 'RIESGO PAIS': null },
  ]);
  assert.equal((await rows(`${both}&forma=larga`)).length, 3);
  const csv = await server.get(`/historicos?${aMonth}&intervalo=1sem&formato=csv`);
  assert.equal(csv.body, 'especie,fecha,ultimo,volumen\r\nAL30,2024-03-01,47000,2345678\r\n');
  assert.deepEqual(await rows('especie=NADA&desde=2024-02-01&hasta=2024-03-31&intervalo=1mes'), []);
});

test('contract 4.2.16: a wide table has one row for a week whose last sessions differ, of the latest of them', async () => {
  await server.putCloses('DOLAR MEP', { '2024-02-27': 1000 });
  const wide = 'especie=DOLAR+MEP,AL30&desde=2024-02-01&hasta=2024-03-31&forma=ancha';
  assert.deepEqual(await rows(`${wide}&intervalo=1sem`), [
    { fecha: '2024-03-01', 'DOLAR MEP': 1000, AL30: 47_000 },
  ]);
  assert.deepEqual(await rows(`${wide}&intervalo=1sem&campo=volumen`), [
    { fecha: '2024-03-01', 'DOLAR MEP': null, AL30: 2_345_678 },
  ]);
});

test('contract 4.2.14: a refused table of weeks has the number of all its rows in the text', async () => {
  await using small = await startTestServer({ limits: { historyRowsMax: 1 } });
  const query = 'especie=AL30,RIESGO+PAIS&desde=2024-02-01&hasta=2024-03-31&forma=larga';
  const refused = await small.get(`/historicos?${query}&intervalo=1mes`);
  assert.equal(refused.status, 400);
  assert.match(refused.body, /tiene 3 filas\. Se admiten como máximo 1 /);
});
