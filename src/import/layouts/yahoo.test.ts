import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, readingOf } from '../../../test/support/import/table-head.ts';
import { yahoo } from './yahoo.ts';

test('contract 2.2.1: Close is read and not Adj Close, as traded', () => {
  const head = csvHead(
    'AAPL.csv',
    'Date,Open,High,Low,Close,Adj Close,Volume\n2000-01-03,0.93,1.00,0.90,0.99,0.84,535796800',
  );
  const reading = readingOf(yahoo, head);
  assert.equal(reading.naming, 'yahoo');
  assert.deepEqual(reading.series, [
    { ticker: { type: 'file' }, close: 4, open: 1, high: 2, low: 3, volume: 6 },
  ]);
});

test('a table without an adjusted close does not match', () => {
  const head = csvHead('x.csv', 'Date,Open,High,Low,Close,Volume\n2000-01-03,1,1,1,1,1');
  assert.equal(yahoo.recognise(head), undefined);
});
