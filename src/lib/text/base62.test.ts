import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { base62Digits, randomBase62, toBase62 } from './base62.ts';

test('there are 62 digits, all different, in the order of ASCII', () => {
  const digits = base62Digits.split('');
  assert.equal(new Set(digits).size, 62);
  assert.deepEqual(digits, digits.toSorted());
});

test('a number in base 62 has the requested length and the value of the number', () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffff_ffff }), (value) => {
      const text = toBase62(value, 6);
      assert.equal(text.length, 6);
      const read = text.split('').reduce((sum, digit) => sum * 62 + base62Digits.indexOf(digit), 0);
      assert.equal(read, value);
    }),
  );
});

test('a number that does not fit into the length is refused', () => {
  assert.equal(toBase62(61, 1), 'z');
  for (const [value, length] of [
    [62, 1],
    [-1, 6],
    [0.5, 6],
    [Number.NaN, 6],
    [2 ** 53, 20],
  ] as const) {
    assert.throws(() => toBase62(value, length), RangeError);
  }
});

test('random digits use every byte below 248, and discard the bytes 248 to 255', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);
  let used = 0;
  const text = randomBase62(248, (count) => bytes.subarray(used, (used += count)));
  assert.equal(used, 256);
  const counts = new Map<string, number>();
  for (const digit of text) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  assert.deepEqual(new Set(counts.values()), new Set([4]), 'each of the 62 digits occurs 4 times');
  assert.equal(counts.size, 62);
});

test('the number of random digits is the requested one, also 0', () => {
  assert.equal(
    randomBase62(0, () => assert.fail('no random bytes are needed')),
    '',
  );
  fc.assert(
    fc.property(fc.nat({ max: 50 }), fc.infiniteStream(fc.nat({ max: 255 })), (length, stream) => {
      const text = randomBase62(length, (count) => Uint8Array.from(stream.take(count)));
      assert.match(text, new RegExp(`^[0-9A-Za-z]{${length}}$`));
    }),
  );
});
