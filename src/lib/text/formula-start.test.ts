import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startsFormula } from './formula-start.ts';

test('a cell that begins with a sign of a formula, or with a control of the line, starts a formula', () => {
  for (const cell of ['=1', '+1', '-1', '@A', '＝1', '＋1', '－1', '＠A', ' =1', '\u00a0=1']) {
    assert.equal(startsFormula(cell), true, cell);
  }
  for (const cell of ['\t', '\r', '\n', '\tA']) assert.equal(startsFormula(cell), true);
});

test('a cell that begins otherwise starts no formula', () => {
  for (const cell of ['', ' ', ' A', 'A=1', '1+1', '(=1)', '"=1', "'=1", 'a\t', ' \u00e1@b']) {
    assert.equal(startsFormula(cell), false, cell);
  }
});
