import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { actionsInRow } from './action-columns.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'BADLAR', kind: 'interest-rate', currency: '%' },
]);

function read(dividend: string, split: string, decimal: '.' | ',' = '.', ticker = 'GGAL') {
  const instrument = universe.find(ticker) ?? assert.fail();
  const rules = { decimal, source: 'import:x.csv' };
  const columns = { dividend: 0, split: 1 };
  return actionsInRow([dividend, split], columns, 10 as EpochDay, instrument, rules).map((one) => {
    if (typeof one === 'string') return one;
    if (one.type === 'cash-dividend') return `${one.amount} ${one.currency}`;
    return one.type === 'split' ? one.factor : one.type;
  });
}

test('the cells of a row give its dividend in the currency of the instrument, and its split', () => {
  assert.deepEqual(read('0.24', '4'), ['0.24 ARS', 4]);
  assert.deepEqual(read('$1.5', '4:1'), ['1.5 ARS', 4]);
  assert.deepEqual(read('1.234,50', '1/10', ','), ['1234.5 ARS', 0.1]);
  assert.deepEqual(read('0,24', '1,5', ','), ['0.24 ARS', 1.5]);
});

test('cells that say that there is no action give none', () => {
  for (const dividend of ['', ' ', '0', '0.0', '-', 'NaN', 'null', 'N/A', 'None']) {
    for (const split of ['', '0.0', '1', '1.0', '1:1', 'nan']) {
      assert.deepEqual(read(dividend, split), [], `${dividend} ${split}`);
    }
  }
});

test('a cell that is neither a dividend nor a split is a reason to reject it', () => {
  for (const cell of ['abc', '-0.1', '1,250', '2024-01-02', '1e999']) {
    assert.deepEqual(read(cell, ''), ['bad-dividend'], cell);
  }
  for (const cell of ['abc', '-4', '0:0', '4:0', '0:1', '4:1:2', ':', '1e9', '1,5']) {
    assert.deepEqual(read('', cell), ['bad-split'], cell);
  }
});

test('an instrument that cannot split, or has no currency, has no such action', () => {
  assert.deepEqual(read('1.5', '2', '.', 'AL30'), ['1.5 ARS', 'no-such-action']);
  assert.deepEqual(read('1.5', '', '.', 'BADLAR'), ['no-such-action']);
});
