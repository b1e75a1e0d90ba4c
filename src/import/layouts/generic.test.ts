import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, jsonHead, readingOf } from '../../../test/support/import/table-head.ts';
import { generic } from './generic.ts';

test('headings in Spanish and English are recognised, with accents and in any order', () => {
  const spanish = csvHead('x.csv', 'Máximo,Fecha,Último,Símbolo\n2,02/01/2024,1,GGAL');
  assert.deepEqual(readingOf(generic, spanish).series, [
    { ticker: { type: 'column', index: 3 }, close: 2, high: 0 },
  ]);
  const english = csvHead('x.csv', 'Price,Date\n18.63,1987-05-20');
  assert.deepEqual(readingOf(generic, english).series, [{ ticker: { type: 'file' }, close: 0 }]);
});

test('the one-letter keys of JSON are recognised together', () => {
  const row = { date: '2024-01-02', o: '1', h: '2', l: '1', c: '1.5', v: '10' };
  assert.deepEqual(readingOf(generic, jsonHead('GGAL.json', [row])).series, [
    { ticker: { type: 'file' }, close: 4, open: 1, high: 2, low: 3, volume: 5 },
  ]);
});

test('of two columns that could be the close, the operator chooses one', () => {
  const head = csvHead('x.csv', 'fecha,cierre,ultimo\n2024-01-02,1,2');
  assert.deepEqual(generic.recognise(head), { columns: ['cierre', 'ultimo'] });
  assert.equal(readingOf(generic, head, { column: 'Último' }).series[0]?.close, 2);
});

test('without a close, the operator chooses between a bid and an ask', () => {
  const head = csvHead('x.csv', 'fecha,compra,venta\n2024-01-02,1,2');
  assert.deepEqual(generic.recognise(head), { columns: ['compra', 'venta'] });
});

test('an adjusted close alone is a close only if the operator chooses it', () => {
  const head = csvHead('x.csv', 'Date,Adj Close\n2024-01-02,1');
  const found = generic.recognise(head);
  assert.deepEqual(found && 'columns' in found && found.columns, ['Adj Close']);
  assert.equal(readingOf(generic, head, { column: 'adj close' }).series[0]?.close, 1);
});

test('of several columns that may be dates, the one with a date in it is read', () => {
  const rava = csvHead('x.csv', 'timestamp,fecha,cierre\n1599447600,2020-09-07,1');
  assert.equal(readingOf(generic, rava).date, 1);
  const vantage = csvHead('x.csv', 'timestamp,open,close\n2020-09-07,1,2');
  assert.equal(readingOf(generic, vantage).date, 0);
});

test('headings in angle brackets are recognised', () => {
  const head = csvHead('x.csv', '<TICKER>,<DATE>,<CLOSE>,<VOL>\nAAPL.US,20240102,185.64,82488700');
  const { date, series } = readingOf(generic, head);
  assert.equal(date, 1);
  assert.deepEqual(series, [{ ticker: { type: 'column', index: 0 }, close: 2, volume: 3 }]);
});

test('the headings of columns that are not read are reported', () => {
  const head = csvHead('x.csv', 'date,close,dividend,Adj Close,\n2024-01-02,1,0,1,');
  assert.deepEqual(readingOf(generic, head).unused, ['dividend', 'Adj Close']);
});

const choice = (header: string, column?: string) => {
  const row = header.split(',').map((_, at) => (at === 0 ? '2026-11-16' : `${at}.5`));
  const recognition = generic.recognise(csvHead('x.csv', `${header}\n${row.join(',')}`), {
    column,
  });
  if (recognition === undefined) return undefined;
  return 'columns' in recognition ? recognition.columns : recognition.series[0]?.close;
};

test('the operator chooses where several columns may be the close, or none has a known name', () => {
  assert.equal(choice('fecha,cierre'), 1);
  assert.deepEqual(choice('fecha,cierre,ultimo'), ['cierre', 'ultimo']);
  assert.deepEqual(choice('fecha,compra,venta'), ['compra', 'venta']);
  assert.equal(choice('fecha,compra,venta,cierre'), 3);
  assert.equal(choice('fecha,compra,venta', 'VENTA'), 2);
  assert.equal(choice('fecha,algo'), undefined);
  assert.equal(choice('fecha,algo', 'algo'), 1);
  assert.deepEqual(choice('fecha,open,high,low,algo'), ['algo']);
  assert.deepEqual(choice('fecha,open,high,low,algo,otro'), ['algo', 'otro']);
  assert.equal(choice('fecha,open,high,low,algo', 'algo'), 4);
  assert.equal(choice('fecha,open,high,low'), undefined);
  assert.equal(choice('fecha,cierre', 'fecha'), 0);
});

const dateOf = (row: string) =>
  readingOf(generic, csvHead('x.csv', `timestamp,fecha,cierre\n${row}`)).date;

test('of two date columns the first with dates in it is read, else the first', () => {
  assert.equal(dateOf('1700000000000,2026-11-16,1.5'), 1);
  assert.equal(dateOf('2026-11-16,2026-11-17,1.5'), 0);
  assert.equal(dateOf('x,y,1.5'), 0);
});

test('a first column of dates without a heading has the dates', () => {
  for (const date of ['2026-11-16', '1794787200', '1794787200000', '1794787200000000']) {
    assert.equal(readingOf(generic, csvHead('x.csv', `,cierre\n${date},1.5`)).date, 0);
  }
  const dated = csvHead('x.csv', ',fecha,cierre\n0,2026-11-16,1.5');
  assert.equal(readingOf(generic, dated).date, 1);
  assert.equal(generic.recognise(csvHead('x.csv', ',cierre\n0,1.5')), undefined);
});

test('each column may be the first', () => {
  for (const [heading, field] of [
    ['apertura', 'open'],
    ['maximo', 'high'],
    ['minimo', 'low'],
    ['volumen', 'volume'],
  ] as const) {
    const head = csvHead('x.csv', `${heading},fecha,cierre\n1,2026-11-16,2`);
    assert.deepEqual(readingOf(generic, head).series, [
      { ticker: { type: 'file' }, close: 2, [field]: 0 },
    ]);
  }
  for (const header of ['nota,cierre,fecha', 'ultimo,cierre,fecha']) {
    const head = csvHead('x.csv', `${header}\n1,2,2026-11-16`);
    const [column = ''] = header.split(',', 1);
    assert.equal(readingOf(generic, head, { column }).series[0]?.close, 0);
  }
});
