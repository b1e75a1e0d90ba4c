import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Quote } from '../../src/domain/quotes/quote.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { sampleQuote, sampleQuotes } from '../support/market/sample-market.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const mep = 'DOLAR MEP' as Ticker;

before(async () => {
  server.board.adopt([sampleQuote(mep, 2_000, 1_500)]);
  await server.putCloses(mep, {
    '2025-12-20': 1_313,
    '2026-10-26': 1_422,
    '2026-11-19': 1_462,
  });
});

function quoteOfGgal(): Quote {
  return sampleQuotes.find(({ instrument }) => instrument.ticker === 'GGAL') ?? assert.fail();
}

const inDollars = '/cotizaciones?especie=GGAL&moneda=USD';

test('contract 4.1.8: prices are divided by the dollar of now, and the closes before by those of their days', async () => {
  const answer = await server.get(inDollars);
  assert.deepEqual(answer.json(), [
    {
      especie: 'GGAL',
      fecha: '2026-11-20',
      hora: '16:59:58',
      ultimo: 4.94,
      // 7310 ÷ 1462 is 5; 7110 ÷ 1422, four days before the close, is 5; the dollar of 2025 is ten days older.
      variacion: -1.2,
      anterior: 5,
      apertura: 4.886_666_67,
      minimo: 4.85,
      maximo: 4.966_666_67,
      varMTD: -1.2,
      varYTD: null,
      volumen: 2_154_321,
    },
  ]);
  assert.equal(answer.header('cambio'), 'mep');
  assert.equal(answer.header('missing-cambios'), undefined);
  const csv = await server.get(`${inDollars}&formato=csv`);
  assert.match(csv.body, /\r\nGGAL,2026-11-20,16:59:58,4.94,-1.2,5,4.88666667,/);
});

test('contract 4.1.8: quotes in the wanted currency have the bytes of a request without it', async () => {
  const plain = await server.get('/cotizaciones?especie=GGAL,COME');
  const pesos = await server.get('/cotizaciones?especie=GGAL,COME&moneda=ARS');
  assert.equal(pesos.body, plain.body);
  const unknown = await server.get('/cotizaciones?especie=NADA&moneda=ARS');
  assert.deepEqual([unknown.json(), unknown.header('cambio')], [[], 'mep']);
  assert.equal(unknown.header('missing-especies'), 'NADA');
});

test('contract 4.1.8: only a dollar of the same session converts', async () => {
  const blue = await server.get(`${inDollars}&dolar=blue`);
  assert.deepEqual(blue.json(), []);
  assert.deepEqual([blue.header('cambio'), blue.header('missing-cambios')], ['blue', '1']);
  const ggal = quoteOfGgal();
  const earlier = { ...ggal, version: 2_001, sessionDate: '2026-11-19' as PlainDate };
  server.board.adopt([earlier]);
  const other = await server.get(inDollars);
  assert.deepEqual([other.json(), other.header('missing-cambios')], [[], '1']);
  server.board.adopt([{ ...ggal, version: 2_002 }]);
});

test('contract 4.1.8: a change of the dollar, and of a close of it, is served at once', async () => {
  server.board.adopt([sampleQuote(mep, 2_003, 1_482)]);
  await server.putCloses(mep, { '2026-11-19': 1_828 });
  const [row] = (await server.get(inDollars)).json() as readonly Record<string, unknown>[];
  assert.deepEqual(
    [row?.['ultimo'], row?.['anterior'], row?.['variacion']],
    [5, 3.998_905_91, 25.03],
  );
});

test('contract 4.1.8: the best prices are converted, and the amount is not', async () => {
  const ggal = quoteOfGgal();
  const book = { at: 1, bid: 741, ask: 1_482, bidSize: 7, amount: 1_000_000 };
  server.board.adopt([{ ...ggal, version: 2_004, book }]);
  const campos = 'campos=compra,venta,cantCompra,monto,instante';
  const [row] = (await server.get(`${inDollars}&${campos}`)).json() as readonly object[];
  assert.partialDeepStrictEqual(row, { compra: 0.5, venta: 1, cantCompra: 7, monto: 1_000_000 });
});

test('contract 4.1.8: dolar alone is ignored, and the stream refuses the parameter', async () => {
  assert.equal((await server.get('/cotizaciones?especie=GGAL&dolar=nada')).status, 200);
  const stream = await server.get('/cotizaciones/stream?especie=GGAL&moneda=USD');
  assert.equal(stream.status, 400);
  assert.match(stream.body, /«moneda» no se admite en \/cotizaciones\/stream/);
});
