import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { caseless, rangePattern } from './json-schema.ts';

test('the pattern of a range matches exactly its numbers, also with zeros before them', () => {
  const bounds = fc.oneof(fc.nat(150), fc.nat(10_000_000), fc.maxSafeNat());
  const property = fc.property(
    bounds,
    bounds,
    fc.oneof(bounds, fc.integer({ min: -3, max: 3 })),
    (a, b, c) => {
      const [min, max] = a < b ? [a, b] : [b, a];
      const pattern = new RegExp(rangePattern(min, max), 'u');
      for (const near of [c, min + c, max + c].filter(
        (one) => one >= 0 && Number.isSafeInteger(one),
      )) {
        const isWithin = near >= min && near <= max;
        assert.equal(
          pattern.test(String(near)),
          isWithin,
          `${near} in ${min} to ${max}: ${pattern}`,
        );
        assert.equal(pattern.test(`00${near}`), isWithin);
      }
      assert.equal(pattern.test(`-${min}`), false);
      assert.equal(pattern.test(`${min}.5`), false);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});

test('a caseless pattern matches every case of its letters, and no other text', () => {
  const pattern = new RegExp(`^${caseless('wss:')}$`, 'u');
  for (const text of ['wss:', 'WSS:', 'wSs:']) assert.ok(pattern.test(text), text);
  assert.equal(pattern.test('ws:'), false);
});
