import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, readingOf } from '../../../test/support/import/table-head.ts';
import { rava } from './rava.ts';

const history = `especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp
AL30,2020-09-07,6340.0,6493.0,6100.0,6270.0,3693179,1599447600`;

test('the history layout is recognised, with the close in cierre and the ticker in especie', () => {
  const reading = readingOf(rava, csvHead('x.csv', history));
  assert.equal(reading.layout, 'rava-history');
  assert.equal(reading.naming, 'canonical');
  assert.equal(reading.date, 1);
  assert.deepEqual(reading.series, [
    { ticker: { type: 'column', index: 0 }, close: 5, open: 2, high: 3, low: 4, volume: 6 },
  ]);
});

test('an unnamed column of row numbers before the others shifts them', () => {
  const indexed = history.replace('especie', ',especie').replace('AL30', '0,AL30');
  const reading = readingOf(rava, csvHead('x.csv', indexed));
  assert.equal(reading.date, 2);
  assert.equal(reading.series[0]?.close, 6);
});

test('the quote layout of rates is recognised, with the close in cierre', () => {
  const head = csvHead(
    'x.csv',
    `especie,ultimo,variacion,anterior,apertura,minimo,maximo,varMTD,varYTD,var6M,var12M,fecha,hora,cierre,timestamp,volumen
DOLAR MEP,36.97,,,36.97,36.97,36.97,,,,,2018-10-29,,36.97,1540782000,0`,
  );
  const reading = readingOf(rava, head);
  assert.equal(reading.layout, 'rava-quote');
  assert.equal(reading.date, 11);
  assert.deepEqual(reading.series[0], {
    ticker: { type: 'column', index: 0 },
    close: 13,
    open: 4,
    high: 6,
    low: 5,
    volume: 15,
  });
});

test('a table without especie does not match', () => {
  assert.equal(rava.recognise(csvHead('x.csv', history.replace('especie', 'papel'))), undefined);
});
