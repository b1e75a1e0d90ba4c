import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Board } from '../../src/board/board.ts';
import type { Quote } from '../../src/domain/quotes/quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { sampleQuotes } from '../support/market/sample-market.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

const many = Array.from({ length: 60 }, (_, at) => ({ ticker: `M${at}`, name: 'Muchos' }));
const universe = makeUniverse([
  { ticker: 'GGAL', name: 'Grupo Financiero Galicia S.A.', panels: ['LID', 'LIDGEN'] },
  { ticker: 'YPFD', name: 'YPF S.A.', panels: ['LID', 'LIDGEN'] },
  {
    ticker: 'AAPL',
    name: 'CEDEAR Apple Inc.',
    kind: 'cedear',
    ratio: '20:1',
    underlying: 'AAPL_US',
  },
  { ticker: 'AAPL_US', name: 'Apple Inc.', market: 'NYSE' },
  { ticker: 'DOLAR MEP', name: 'Dólar MEP', kind: 'exchange-rate', panels: ['IND'] },
  { ticker: 'GAL', name: '=Galería', panels: ['GEN', 'LIDGEN'] },
  ...many,
]);
const board = new Board(universe);
const server = await startTestServer({ board });
after(() => server[Symbol.asyncDispose]());

async function find(query: string): Promise<readonly string[]> {
  const rows = (await server.get(`/especies.json?${query}`)).json();
  return (rows as readonly { readonly especie: string }[]).map(({ especie }) => especie);
}

test('contract 4.7.2: buscar finds tickers and names without regard to accents and case, ranked', async () => {
  assert.deepEqual(await find('buscar=gal'), ['GAL', 'GGAL']);
  assert.deepEqual(await find('buscar=D%C3%B3LAR'), ['DOLAR MEP']);
  assert.deepEqual(await find('buscar=d%C3%B3lar+mep'), ['DOLAR MEP']);
  assert.deepEqual(await find('buscar=aapl'), ['AAPL', 'AAPL_US']);
  assert.deepEqual(await find('buscar=inc+apple'), ['AAPL', 'AAPL_US']);
  assert.deepEqual(await find('buscar=nada'), []);
});

test('contract 4.7.1: a search has at most 50 results; without it, the list is whole', async () => {
  assert.deepEqual(
    await find('buscar=muchos'),
    many.slice(0, 50).map(({ ticker }) => ticker),
  );
  assert.equal((await find('')).length, universe.instruments.length);
});

test('contract 4.7.3: with panel, the search is in the members of the panel', async () => {
  assert.deepEqual(await find('buscar=gal&panel=LID'), ['GGAL']);
  assert.deepEqual(await find('buscar=gal&panel=GEN'), ['GAL']);
  assert.deepEqual(await find('buscar=gal&panel=IND'), []);
  assert.deepEqual(await find('buscar=gal'), ['GAL', 'GGAL']);
});

test('contract 4.4.2: a row has the ratio and the underlying of a depositary receipt', async () => {
  const [cedear, share] = (
    await server.get('/especies.json?buscar=aapl')
  ).json() as readonly object[];
  assert.deepEqual(cedear, {
    especie: 'AAPL',
    nombre: 'CEDEAR Apple Inc.',
    tipo: 'cedear',
    mercado: 'BYMA',
    moneda: 'ARS',
    decimales: 4,
    unidadVariacion: 'por-ciento',
    ratio: '20:1',
    subyacente: 'AAPL_US',
  });
  assert.ok(share !== undefined && !('ratio' in share) && !('subyacente' in share));
});

test('contract 4.7.4: a search is a table, with a tag that changes with the sources of its rows', async () => {
  const comma = await server.get('/especies.json?buscar=galer&formato=csv&decimal=coma');
  assert.equal(
    comma.body,
    'especie;nombre;tipo;mercado;moneda;decimales;unidadVariacion;ratio;subyacente;fuente;demoraMinutos\r\n' +
      "GAL;'=Galería;accion;BYMA;ARS;4;por-ciento;;;;\r\n",
  );
  const target = '/especies.json?buscar=ypf';
  const tag = (await server.get(target)).header('etag') ?? '';
  const again = await server.get(target, { headers: { 'if-none-match': tag } });
  assert.equal(again.status, 304);
  const [sample] = sampleQuotes;
  assert.ok(sample !== undefined);
  const quote: Quote = {
    ...sample,
    instrument: universe.get('YPFD' as Ticker),
    source: { name: 'byma', delayMinutes: 20 },
  };
  board.adopt([quote]);
  const changed = await server.get(target, { headers: { 'if-none-match': tag } });
  assert.equal(changed.status, 200);
  assert.match(changed.body, /"fuente":"byma","demoraMinutos":20/);
});

test('contract 4.7.1: an empty, repeated or long text gets 400 and is named', async () => {
  const cases = [
    ['buscar=', '«buscar» está vacío'],
    ['buscar', '«buscar» está vacío'],
    ['buscar=++%20', '«buscar» está vacío'],
    ['buscar=%CC%81', '«buscar» está vacío'],
    ['buscar=&panel=LID', '«buscar» está vacío'],
    ['buscar=a&buscar=b', '«buscar» se envió más de una vez'],
    [`buscar=${'a'.repeat(101)}`, 'tiene 101 caracteres. Se admiten como máximo 100'],
    ['buscar=%zz', '«%zz» del parámetro «buscar» no está bien codificado'],
    ['buscar=%C3', '«%C3» del parámetro «buscar» no está bien codificado'],
    ['buscar=a&panel=lid', 'El panel «lid» no existe'],
    ['panel=LID&panel=LID', '«panel» se envió más de una vez'],
  ] as const;
  for (const [query, text] of cases) {
    const answer = await server.get(`/especies.json?${query}`);
    assert.equal(answer.status, 400, query);
    assert.ok((answer.json() as { error: string }).error.includes(text), answer.body);
  }
  assert.equal((await server.get(`/especies.json?buscar=${'a'.repeat(100)}`)).status, 200);
});

test('contract 4.5.6: what does not search ignores buscar', async () => {
  assert.equal((await server.get('/especies.txt?buscar=')).status, 200);
});
