import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseNumber } from './number-format.ts';
import { spreadsheetCell } from '../reports/reject-file.ts';

test('a cell that a spreadsheet would run as a formula gets an apostrophe', () => {
  for (const cell of [
    '=1+1',
    '=HYPERLINK("http://x","y")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    '@SUM(A1)',
    ' =1+1',
    '\t=1+1',
    '\r=1+1',
    '\t-5',
    '＝1+1',
    '-',
  ]) {
    assert.equal(spreadsheetCell(cell), cell === '-' ? cell : `'${cell}`);
  }
});

test('numbers, dates, tickers and words are unchanged', () => {
  const cells = ['-0.5', '+1,5', '-1.234,50', '-3 %', '-1.5%', '-$5', '-12.5K', '-1e-7', '--', ''];
  for (const cell of [...cells, '2024-01-02', 'GGAL', "O'Higgins", 'Máximo', 'a=b', '1+1']) {
    assert.equal(spreadsheetCell(cell), cell);
  }
});

test('no cell that an import parses as a number is changed', () => {
  const sign = fc.constantFrom('', '-', '+');
  const cell = fc
    .tuple(sign, fc.constantFrom('', '$', 'u$s ', 'ARS '), fc.double({ noNaN: true, min: 0 }))
    .map(([before, currency, number]) => `${before}${currency}${number}`);
  fc.assert(
    fc.property(cell, (text) => {
      const isRead = !Number.isNaN(parseNumber(text, '.'));
      assert.ok(!isRead || spreadsheetCell(text) === text);
    }),
  );
});
