import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, readingOf } from '../../../test/support/import/table-head.ts';
import { headerless, lean } from './headerless.ts';
import { sources } from './sources.ts';

const history = `especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp
AL30,2020-09-07,6340.0,6493.0,6100.0,6270.0,3693179,1599447600`;

test('an unnamed column of row numbers before the others shifts them', () => {
  const indexed = history.replace('especie', ',especie').replace('AL30', '0,AL30');
  const reading = readingOf(sources, csvHead('x.csv', indexed));
  assert.equal(reading.date, 2);
  assert.equal(reading.series[0]?.close, 6);
});

test('a table without especie does not match', () => {
  assert.equal(sources.recognise(csvHead('x.csv', history.replace('especie', 'papel'))), undefined);
});

const nasdaqRows = 'Date,Close,Volume,Open,High,Low\n03/01/2024,$17.44,37504,$16.93,$17.58,$16.28';

test('prices with a dollar sign are of the US share, with the month first in dates', () => {
  const reading = readingOf(sources, csvHead('EDN.csv', nasdaqRows));
  assert.equal(reading.naming, 'us');
  assert.equal(reading.usualDate, 'MM/DD/YYYY');
  assert.deepEqual(reading.series, [
    { ticker: { type: 'file' }, close: 1, open: 3, high: 4, low: 5, volume: 2 },
  ]);
});

test('the heading Close/Last of newer files is recognised', () => {
  assert.equal(
    readingOf(sources, csvHead('x.csv', nasdaqRows.replace('Close', 'Close/Last'))).date,
    0,
  );
});

test('the same columns without a dollar sign do not match', () => {
  assert.equal(sources.recognise(csvHead('EDN.csv', nasdaqRows.replaceAll('$', ''))), undefined);
});

test('a table without an adjusted close does not match', () => {
  const head = csvHead('x.csv', 'Date,Open,High,Low,Close,Volume\n2000-01-03,1,1,1,1,1');
  assert.equal(sources.recognise(head), undefined);
});

test('BYMA series: only the standard term of the day is read, 48 hours and later 24', () => {
  const head = csvHead(
    'x.csv',
    `SIMBOLO,FECHA,VENCIMIENTO,TIPO DE SERIE,CIERRE,APERTURA,MAXIMO,MINIMO,PRECIO PROMEDIO,VOLUMEN NOMINAL
BMA,2024-02-19,48 hs.,Homogenea,3592,3550,3650,3421,3544,94682`,
  );
  const { omit, series } = readingOf(sources, head);
  const isOmitted = (term: string, date: string) => omit?.when(['BMA', date, term], date);
  assert.equal(series[0]?.volume, 9);
  assert.equal(isOmitted('48 hs.', '2024-05-24'), false);
  assert.equal(isOmitted('24 hs.', '2024-05-24'), true);
  assert.equal(isOmitted('24 hs.', '2024-05-27'), false);
  assert.equal(isOmitted('48 hs.', '2024-05-27'), true);
  assert.equal(isOmitted('CI', '2024-05-27'), true);
});

test('CryptoDataDownload: the volume of coins may be in the first column', () => {
  const text = 'volume_btc,date,symbol,open,high,low,close\n7,2019-10-17,BTCUSD,1,1,1,1';
  const { layout, series } = readingOf(sources, csvHead('x.csv', text));
  assert.deepEqual([layout, series[0]?.volume], ['crypto-data-download', 0]);
});

test('Lean: factor and map files do not match', () => {
  for (const text of ['19980102,0.8613657,0.00892857,1', '19980102,aapl,Q']) {
    assert.equal(lean.recognise(csvHead('aapl.csv', text)), undefined);
    assert.equal(headerless.recognise(csvHead('aapl.csv', text)), undefined);
  }
});

test('without a header: date, open, high, low, close, when the numbers are consistent with it', () => {
  const text = '2016-07-13,15020.5,15160.8,14983.1,15145.2,000,15145.2';
  assert.equal(readingOf(headerless, csvHead('MERV.csv', text)).series[0]?.close, 4);
  const shuffled = '2016-07-13,15160.8,14983.1,15145.2,15020.5,000,15145.2';
  assert.equal(headerless.recognise(csvHead('MERV.csv', shuffled)), undefined);
});

test('a table with a header, and a document of JSON, are not without a header', () => {
  const rows = Array.from({ length: 20 }, () => ['2016-07-13', '1.5', '2', '1', '1.25', '7']);
  const header = ['Date', 'Open', 'High', 'Low', 'Close', 'Volume'];
  assert.ok(headerless.recognise({ path: 'x.csv', type: 'csv', rows }));
  assert.equal(headerless.recognise({ path: 'x.json', type: 'json', rows }), undefined);
  const named = { path: 'x.csv', type: 'csv', rows: [header, ...rows] } as const;
  assert.equal(headerless.recognise(named), undefined);
});

test('without a header, numbers may have a decimal comma', () => {
  const rows = [['2016-07-13', '1,5', '2', '1', '1,25', '7']];
  assert.ok(headerless.recognise({ path: 'x.csv', type: 'csv', rows }));
});
