import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parsePrice } from './parse-price.ts';

test('a price is read as it is written in Argentina', () => {
  const texts = ['7500', '7.500', '7.500,50', '1.234.567,8', ' 0,005 ', '7.5', '0'];
  assert.deepEqual(texts.map(parsePrice), [7500, 7500, 7500.5, 1234567.8, 0.005, 7.5, 0]);
});

test('a point after a leading zero is a decimal point, because no thousands begin with one', () => {
  assert.equal(parsePrice('0.125'), 0.125);
});

test('a text that is no price is refused', () => {
  for (const text of ['', 'a', '-1', '1,2,3', '1.2.3', '7.50,1', '1 000', '1e3', ',5', '5,']) {
    assert.equal(parsePrice(text), undefined, text);
  }
});
