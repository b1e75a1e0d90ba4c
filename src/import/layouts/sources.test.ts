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
