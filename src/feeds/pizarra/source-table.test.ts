import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { SourceTable } from './source-table.ts';

const [ggal, mep] = ['GGAL', 'DOLAR MEP'] as Ticker[] as [Ticker, Ticker];

test('the delay of a quote is that of its source, and of a derived one its own', () => {
  const table = new SourceTable();
  table.adopt([
    { ticker: 'YPFD', source: 'byma', delayMinutes: 20 },
    { ticker: 'AL30', source: 'data912' },
    { ticker: 'DOLAR MEP', delayMinutes: 15 },
  ]);
  assert.deepEqual(table.sourceOf(ggal, 'byma'), { name: 'byma', delayMinutes: 20 });
  assert.deepEqual(table.sourceOf(ggal, 'data912'), { name: 'data912' });
  assert.deepEqual(table.sourceOf(ggal, 'nueva'), { name: 'nueva' });
  assert.deepEqual(table.sourceOf(mep, undefined), { delayMinutes: 15 });
  assert.deepEqual(table.sourceOf(ggal, undefined), {});
});

test('a source is known when it was listed, with or without its delay', () => {
  const table = new SourceTable();
  table.adopt([{ ticker: 'AL30', source: 'data912' }]);
  assert.deepEqual(
    ['data912', undefined, 'byma'].map((one) => table.knows(one)),
    [true, true, false],
  );
  table.adopt([{ ticker: 'AL30', source: 'byma', delayMinutes: 0 }]);
  assert.deepEqual(
    ['data912', 'byma'].map((one) => table.knows(one)),
    [false, true],
  );
});
