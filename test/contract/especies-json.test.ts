import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { instrumentKinds } from '../../src/domain/instrument.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { openapi } from '../support/contract.ts';
import { startTestServer } from '../support/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

test('contract 4.4.2: /especies.json has the instruments of /especies.txt, in the same order', async () => {
  for (const query of ['', '?panel=LID', '?panel=IND']) {
    const rows = (await server.get(`/especies.json${query}`)).json() as { especie: string }[];
    const text = (await server.get(`/especies.txt${query}`)).body;
    assert.equal(rows.map(({ especie }) => `${especie}\n`).join(''), text);
  }
});

test('contract 4.4.2: /especies.json has the market and the unit of the change of each instrument', async () => {
  const rows = (await server.get('/especies.json?panel=IND')).json() as Record<string, unknown>[];
  const risk = rows.find((row) => row['especie'] === 'RIESGO PAIS');
  assert.deepEqual(risk, {
    especie: 'RIESGO PAIS',
    nombre: 'RIESGO PAIS',
    tipo: 'riesgo-pais',
    mercado: 'BYMA',
    moneda: 'ARS',
    decimales: 2,
    unidadVariacion: 'puntos',
  });
});

test('contract 4.4.2: /especies.json has the source that changed a quote last, and changes only when the source does', async () => {
  await using own = await startTestServer();
  const { board } = own;
  const { instruments } = board.universe;
  const rowsOf = async (query = ''): Promise<Record<string, unknown>[]> =>
    (await own.get(`/especies.json${query}`)).json() as Record<string, unknown>[];
  const tagOf = async (): Promise<string | undefined> =>
    (await own.get('/especies.json')).header('etag');
  const quoted = instruments.find((one) => board.quote(one) !== undefined);
  const quote = quoted === undefined ? undefined : board.quote(quoted);
  assert.ok(quote !== undefined);
  const { ticker } = quote.instrument;
  const rowOf = async (): Promise<Record<string, unknown>> =>
    (await rowsOf()).find(({ especie }) => especie === ticker) ?? {};
  let version = Math.max(...instruments.map((one) => board.quote(one)?.version ?? 0));
  const adopt = (source: Quote['source'], last: number): void =>
    board.adopt([{ ...quote, version: (version += 1), last, source }]);

  const unknown = await rowOf();
  assert.deepEqual([unknown['fuente'], unknown['demoraMinutos']], [undefined, undefined]);
  adopt({ name: 'byma', delayMinutes: 20 }, 1);
  const tag = await tagOf();
  const known = await rowOf();
  assert.deepEqual([known['fuente'], known['demoraMinutos']], ['byma', 20]);
  adopt({ name: 'byma', delayMinutes: 20 }, 2);
  assert.equal(await tagOf(), tag, 'another price of the same source');
  adopt({ delayMinutes: 0 }, 2);
  const derived = await rowOf();
  assert.deepEqual([derived['fuente'], derived['demoraMinutos']], [undefined, 0]);
  assert.notEqual(await tagOf(), tag);
});

test('contract 4.4.2: the OpenAPI document has one type for each kind of instrument', () => {
  const { components } = openapi as {
    components: {
      schemas: { Instrumento: { properties: { tipo: { enum: readonly string[] } } } };
    };
  };
  const types = components.schemas.Instrumento.properties.tipo.enum;
  assert.equal(types.length, Object.keys(instrumentKinds).length);
});

test('contract 4.1.2: /especies.json of an unknown panel gets 400', async () => {
  assert.equal((await server.get('/especies.json?panel=lid')).status, 400);
});

test('contract 5.1: /especies.json needs a key', async () => {
  assert.equal((await server.get('/especies.json', { authorization: null })).status, 401);
});
