import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentKind } from '../domain/instruments/instrument.ts';
import { CsvRow } from './files/csv-table.ts';
import { readReceipt } from './read-instruments.ts';

function read(ratio: string, underlying: string, kind: InstrumentKind = 'cedear') {
  const faults: string[][] = [];
  const cells = { ticker: 'ABEV', ratio, underlying };
  const row = new CsvRow(1, cells, (...fault) => void faults.push(fault));
  const receipt = readReceipt(row, kind);
  return { receipt, faults };
}

test('a receipt has a ratio and an underlying, each where its cell is not empty', () => {
  for (const kind of ['cedear', 'adr'] as const) {
    assert.deepEqual(read('1:3', 'ABEV_US', kind), {
      receipt: { ratio: '1:3', underlying: 'ABEV_US' },
      faults: [],
    });
  }
  assert.deepEqual(read('', 'ABEV_US'), { receipt: { underlying: 'ABEV_US' }, faults: [] });
  assert.deepEqual(read('20:1', ''), { receipt: { ratio: '20:1' }, faults: [] });
  assert.deepEqual(read('', ''), { receipt: {}, faults: [] });
});

test('a ratio is two whole numbers from 1 to 999999', () => {
  for (const ratio of ['1:1', '999999:1', '1:1000', '10:9']) {
    assert.deepEqual(read(ratio, '').faults, [], ratio);
  }
  for (const ratio of [
    '20',
    '20/1',
    '0:1',
    '1:0',
    '01:1',
    '1:1000000',
    '1000000:1',
    '1.5:1',
    '1:',
    ' 1:1',
  ]) {
    const message = 'not a valid ratio; use receipts:shares, such as 20:1';
    assert.deepEqual(read(ratio, '').faults, [['ratio', ratio, message]], ratio);
  }
});

test('an underlying is a ticker, and not that of the receipt', () => {
  assert.deepEqual(read('', '_X').faults, [
    ['underlying', '_X', 'not a valid ticker; leave the cell empty if it is unknown'],
  ]);
  for (const own of ['ABEV', 'abev']) {
    assert.deepEqual(read('', own).faults, [
      ['underlying', own, 'an instrument cannot be its own underlying'],
    ]);
  }
});

test('only a cedear or an adr has the cells', () => {
  const message = 'only a cedear or an adr has this cell; leave it empty';
  assert.deepEqual(read('x', 'ABEV', 'share').faults, [
    ['ratio', 'x', message],
    ['underlying', 'ABEV', message],
  ]);
  assert.deepEqual(read('', '', 'share').faults, []);
});
