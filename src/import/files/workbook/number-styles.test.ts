import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf } from './open-workbook.ts';

test('a number is a date, a percentage or dollars by the format that shows it', () => {
  for (const [id, code, kind] of [
    [0, undefined, 'number'],
    [14, undefined, 'date'],
    [22, undefined, 'date'],
    [20, undefined, 'number'],
    [10, undefined, 'percent'],
    [164, 'dd/mm/yyyy', 'date'],
    [164, 'mmm-yy', 'date'],
    [164, '[$-2C0A]d" de "mmmm', 'date'],
    [164, 'h:mm:ss', 'number'],
    [164, '0.00_);[Red]\\(0.00\\)', 'number'],
    [164, '#,##0.00" al dia"', 'number'],
    [164, '0.0%', 'percent'],
    [164, '"US$" #,##0.00', 'dollars'],
    [164, '[$USD] #,##0.00', 'dollars'],
    [164, '"$" #,##0.00', 'number'],
  ] as const) {
    assert.equal(kindOf(id, code), kind, code ?? String(id));
  }
});
