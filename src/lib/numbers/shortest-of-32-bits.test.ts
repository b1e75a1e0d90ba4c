import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortestOf32Bits } from './shortest-of-32-bits.ts';

test('a number of 32 bits has the decimals that were rounded to it, and any other value stays', () => {
  for (const price of [216.54, 93.89, 0.1, 45120, 1612.75]) {
    assert.equal(shortestOf32Bits(Math.fround(price)), price);
  }
  for (const value of [191.731234567, null, undefined, '1.5', Number.NaN]) {
    assert.equal(shortestOf32Bits(value), value);
  }
});
