import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findDecimal, parseNumber, parseVolume } from './number-format.ts';

test('a number is parsed with its decimal sign, thousands, currency and white space', () => {
  for (const [cell, decimal, value] of [
    ['6270.0', '.', 6270],
    ['-0.5', '.', -0.5],
    ['1e3', '.', 1000],
    ['$1,612.75', '.', 1612.75],
    ['"73,563,080"'.replaceAll('"', ''), '.', 73_563_080],
    [' 51.87 ', '.', 51.87],
    ['1.234,56', ',', 1234.56],
    ['u$s 36,97', ',', 36.97],
    ['-1,5', ',', -1.5],
    ['3550', ',', 3550],
    ['US$ 1\u00a0234,5', ',', 1234.5],
  ] as const) {
    assert.equal(parseNumber(cell, decimal), value, cell);
  }
});

test('a text that is not a number with the given decimal sign is NaN, never zero', () => {
  const words = [
    '',
    ' ',
    'N/A',
    'null',
    'NaN',
    '-',
    '.',
    '0x1F',
    ' 0x1F',
    '0b1',
    'Infinity',
    '12.5.1',
    '1e999',
    '9'.repeat(400),
    '1 2a',
  ];
  for (const cell of words) {
    assert.equal(parseNumber(cell, '.'), Number.NaN, cell);
    assert.equal(parseNumber(cell, ','), Number.NaN, cell);
  }
  assert.equal(parseNumber('1,5', '.'), Number.NaN);
  assert.equal(parseNumber('1.5', ','), Number.NaN);
  assert.equal(parseNumber('1,2345', '.'), Number.NaN);
});

test('every decimal that JavaScript prints is parsed to the same value', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(parseNumber(String(value), '.'), Number(String(value)));
    }),
  );
});

test('a number with decimal comma and grouped thousands equals the same number with a point', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.integer({ min: 0, max: 99 }),
      (whole, part) => {
        const grouped = Math.abs(whole).toLocaleString('de-DE', { useGrouping: true });
        const cents = String(part).padStart(2, '0');
        const cell = `${whole < 0 ? '-' : ''}${grouped},${cents}`;
        assert.equal(parseNumber(cell, ','), Number(`${whole}.${cents}`));
      },
    ),
  );
});

test('a volume may be in thousands, millions or billions', () => {
  assert.equal(parseVolume('12.5K', '.'), 12_500);
  assert.equal(parseVolume('3M', '.'), 3_000_000);
  assert.equal(parseVolume('1,5B', ','), 1_500_000_000);
  assert.equal(parseVolume('N/A', '.'), Number.NaN);
  assert.equal(parseVolume('1e305M', '.'), Number.NaN);
});

test('a volume with a letter is the number with these digits, not a binary product', () => {
  assert.equal(parseVolume('132.36M', '.'), 132_360_000);
  assert.equal(parseVolume('264,52M', ','), 264_520_000);
  assert.equal(parseVolume('8.03K', '.'), 8_030);
  assert.equal(parseVolume('1,132.36M', '.'), 1_132_360_000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999 }), (hundredths) => {
      const cell = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
      assert.equal(parseVolume(`${cell}B`, '.'), hundredths * 10_000_000);
    }),
  );
});

test('the decimal sign is the one with which most cells are numbers', () => {
  assert.deepEqual(findDecimal(['1.234', '12.5']), { type: 'found', decimal: '.' });
  assert.deepEqual(findDecimal(['1.234', '12,5', 'N/A']), { type: 'found', decimal: ',' });
  assert.deepEqual(findDecimal(['12', '13']), { type: 'found', decimal: '.' });
});

test('a group of thousands does not begin with 0, so 0.012 is unambiguous', () => {
  assert.equal(parseNumber('0.012', ','), Number.NaN);
  assert.equal(parseNumber('0,012', '.'), Number.NaN);
  assert.deepEqual(findDecimal(['0.012', '0.125']), { type: 'found', decimal: '.' });
  assert.deepEqual(findDecimal(['0,012', '1.250']), { type: 'found', decimal: ',' });
});

test('cells that are all numbers with either sign, one of them different, are ambiguous', () => {
  assert.deepEqual(findDecimal(['12', '1.234', '5']), { type: 'ambiguous', cell: '1.234' });
  assert.deepEqual(findDecimal(['1,234']), { type: 'ambiguous', cell: '1,234' });
});

test('a sign may precede the currency or the digits', () => {
  for (const cell of ['-5.5', '-$5.5', '- 5.5', '-US$ 5.5']) {
    assert.equal(parseNumber(cell, '.'), -5.5, cell);
  }
  assert.equal(parseNumber('$ 5.5', '.'), 5.5);
});

test('an apostrophe before a group of thousands or before the cell is ignored, whatever its form', () => {
  for (const [cell, decimal, value] of [
    ["1'510.50", '.', 1_510.5],
    ['1\u2019585,50', ',', 1_585.5],
    ["-1'234'567", '.', -1_234_567],
    ['1\u2018585,50', ',', 1_585.5],
    ['1\u02bc585.50', '.', 1_585.5],
    ['1\u00b4585.50', '.', 1_585.5],
    ['1`585.50', '.', 1_585.5],
    ["12'34", '.', Number.NaN],
    ["1'2345", '.', Number.NaN],
    ["'1234.5", '.', 1_234.5],
    ["' 1'234.5", '.', 1_234.5],
    ["''1234", '.', Number.NaN],
  ] as const) {
    assert.equal(parseNumber(cell, decimal), value, cell);
  }
  assert.deepEqual(findDecimal(["1'510,50"]), { type: 'found', decimal: ',' });
  assert.equal(parseVolume("1'234.5K", '.'), 1_234_500);
});
