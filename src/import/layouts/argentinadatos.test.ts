import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, jsonHead, readingOf } from '../../../test/support/import/table-head.ts';
import { sources } from './sources.ts';
import { argentinadatosExchangeRate } from './argentinadatos.ts';

/** The tickers of a row's closes, each with the column of the close. */
function tickersOf(row: Record<string, string>): readonly (readonly [string, number])[] {
  const head = jsonHead('index.json', [row]);
  const { series } = readingOf(argentinadatosExchangeRate, head);
  const cells = head.rows[1] ?? [];
  return series
    .filter(({ when }) => when?.(cells) !== false)
    .map(({ ticker, close }) => [ticker.type === 'row' ? ticker.tickerOf(cells) : '', close]);
}

test('the blue and the official dollar have a bid, an ask, and a main rate equal to the ask', () => {
  const row = { casa: 'blue', compra: '1', venta: '2', fecha: '2024-01-02' };
  assert.deepEqual(tickersOf(row), [
    ['DOLAR BLUE COMPRA', 1],
    ['DOLAR BLUE VENTA', 2],
    ['DOLAR BLUE', 2],
  ]);
  assert.deepEqual(
    tickersOf({ ...row, casa: 'oficial' }).map(([ticker]) => ticker),
    ['DOLAR OFICIAL COMPRA', 'DOLAR OFICIAL VENTA', 'DOLAR OFICIAL'],
  );
});

test('the other houses have one rate, the ask', () => {
  for (const [casa, ticker] of [
    ['bolsa', 'DOLAR MEP'],
    ['contadoconliqui', 'DOLAR CCL'],
    ['mayorista', 'DOLAR MAYORISTA'],
    ['cripto', 'DOLAR CRIPTO'],
    ['tarjeta', 'DOLAR TARJETA'],
  ] as const) {
    const row = { casa, compra: '1', venta: '2', fecha: '2024-01-02' };
    assert.deepEqual(tickersOf(row), [[ticker, 2]]);
  }
});

test('dollars without a house are the official rate, and another currency has no instrument', () => {
  const row = { moneda: 'USD', compra: '1', venta: '2', fecha: '2024-01-02' };
  assert.equal(tickersOf(row).at(-1)?.[0], 'DOLAR OFICIAL');
  assert.deepEqual(tickersOf({ ...row, moneda: 'EUR', casa: 'oficial' }), [['EUR', 2]]);
});

test('an unknown house is reported by its name, and a missing one by an empty name', () => {
  const row = { casa: 'solidario', compra: '1', venta: '2', fecha: '2024-01-02' };
  assert.deepEqual(tickersOf(row), [['SOLIDARIO', 2]]);
  assert.deepEqual(tickersOf({ ...row, casa: 'constructor' }), [['CONSTRUCTOR', 2]]);
  assert.deepEqual(tickersOf({ ...row, casa: '' }), [['', 2]]);
});

test('an index is identified by its path, and never guessed', () => {
  const rows = [{ valor: '937', fecha: '1999-01-22' }];
  const reading = readingOf(sources, jsonHead('indices/riesgo-pais/index.json', rows));
  assert.deepEqual(reading.series, [
    { ticker: { type: 'known', ticker: 'RIESGO PAIS' }, close: 0 },
  ]);
  assert.equal(sources.recognise(jsonHead('inflacion/index.json', rows)), undefined);
});

test('a bid and an ask without a house are left to the operator', () => {
  const head = csvHead('x.csv', 'fecha,compra,venta\n2024-01-02,1,2');
  assert.equal(argentinadatosExchangeRate.recognise(head), undefined);
});

test('a table without one of the columns does not match, whatever its path is', () => {
  const path = 'riesgo-pais/x.csv';
  for (const text of ['', 'a,b\n1,2', 'valor,otro\n1,2', 'fecha,otro\n2024-01-02,2']) {
    assert.equal(sources.recognise(csvHead(path, text)), undefined, text);
  }
  for (const text of [
    '',
    'a,b\n1,2',
    'casa,compra,venta\nblue,1,2',
    'casa,compra,fecha\nblue,1,2024-01-02',
    'casa,venta,fecha\nblue,1,2024-01-02',
  ]) {
    assert.equal(argentinadatosExchangeRate.recognise(csvHead(path, text)), undefined, text);
  }
});
