import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, readingOf } from '../../../test/support/import/table-head.ts';
import { wide } from './wide.ts';

function headings(text: string): readonly string[] {
  return readingOf(wide, csvHead('x.csv', text)).series.map(({ ticker }) =>
    ticker.type === 'heading' ? ticker.text : '',
  );
}

test('each column after the date is an instrument, with gaps allowed', () => {
  const head = csvHead('x.csv', 'Days,ALUA,BBAR\n2020-01-02,32.0,');
  const reading = readingOf(wide, head);
  assert.equal(reading.gapsAllowed, true);
  assert.deepEqual(reading.series, [
    { ticker: { type: 'heading', text: 'ALUA' }, close: 1 },
    { ticker: { type: 'heading', text: 'BBAR' }, close: 2 },
  ]);
});

test('tickers that are words or single letters are recognised as tickers', () => {
  const text = 'Date,C,V,LOW,MAX,DIA\n2020-01-02,1,2,3,4,5';
  assert.deepEqual(headings(text), ['C', 'V', 'LOW', 'MAX', 'DIA']);
});

test('five columns per instrument are read as its close, open, high, low and volume', () => {
  const fields = ['open', 'high', 'low', 'close', 'volume'];
  const header = ['BTC', 'ETH'].flatMap((ticker) => fields.map((field) => `${ticker}:${field}`));
  const head = csvHead('x.csv', `,${header.join(',')}\n2014-11-28,1,2,3,4,5,6,7,8,9,10`);
  assert.deepEqual(readingOf(wide, head).series, [
    { ticker: { type: 'heading', text: 'BTC' }, close: 4, open: 1, high: 2, low: 3, volume: 5 },
    { ticker: { type: 'heading', text: 'ETH' }, close: 9, open: 6, high: 7, low: 8, volume: 10 },
  ]);
});

test('a table with a column of closes is not a matrix', () => {
  for (const heading of ['Close', 'Precio', 'Adj Close', 'Compra', 'Ticker']) {
    const head = csvHead('x.csv', `Date,GGAL,${heading}\n2020-01-02,1,2`);
    assert.equal(wide.recognise(head), undefined, heading);
  }
});

test('a table with an open, a high and a low, and a table without headings, are not a matrix', () => {
  const one = csvHead('x.csv', 'Date,Open,High,Low,Px\n2020-01-02,1,2,1,2');
  assert.equal(wide.recognise(one), undefined);
  const none = csvHead('x.csv', 'Date,,,\n2020-01-02,1,2,1');
  assert.equal(wide.recognise(none), undefined);
});

test('a table is a matrix only with numbers below headings after a date, in CSV and in JSON', () => {
  const rows = 'fecha,GGAL\n2026-11-16,10';
  assert.ok(wide.recognise(csvHead('x.csv', rows)));
  assert.ok(wide.recognise({ ...csvHead('x.json', rows), type: 'json' }));
  for (const text of [
    'fecha\n2026-11-16',
    'fecha,\n2026-11-16,10',
    'fecha,GGAL\n2026-11-16,x',
    'fecha,GGAL\n2026-11-16,10x',
    'fecha,GGAL\n2026-11-16,x10',
    'fecha,GGAL\nayer,10',
    'GGAL,fecha\n10,2026-11-16',
    'fecha,GGAL',
    'fecha,GGAL:open\n2026-11-16,10',
  ]) {
    assert.equal(wide.recognise(csvHead('x.csv', text)), undefined, text);
  }
  for (const cell of [' 10 ', '-1.5', '$2', '+3', '1.234,5']) {
    const [row, head] = [['2026-11-16', cell], csvHead('x.csv', rows)];
    assert.ok(wide.recognise({ ...head, rows: [['fecha', 'GGAL'], row] }), cell);
  }
});
