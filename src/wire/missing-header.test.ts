import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { missingHeader, missingHeaderBytesMax, missingNamesMax } from './missing-header.ts';

test('row 4: names are percent-encoded and comma-separated, as they were spelled', () => {
  assert.equal(
    missingHeader(['noexiste', 'DOLAR X', 'A/B', 'ÑU']),
    'noexiste,DOLAR%20X,A%2FB,%C3%91U',
  );
});

test('row 4: fifty names are named, and what is beyond is counted', () => {
  const names = Array.from({ length: 57 }, (_, index) => `X${index}`);
  assert.equal(missingHeader(names.slice(0, 50)), names.slice(0, 50).join(','));
  const value = missingHeader(names);
  assert.equal(decodeURIComponent(value), `${names.slice(0, missingNamesMax).join(',')},…+7`);
});

test('fifty of the longest tickers fit, and nonsense beyond the byte limit is only counted', () => {
  const longest = Array.from({ length: 50 }, () => 'A'.repeat(40));
  assert.equal(missingHeader(longest), longest.join(','));
  assert.equal(decodeURIComponent(missingHeader(['A', 'X'.repeat(10_000), 'B'])), 'A,…+2');
});

test('a name that just fits is named, commas included, and one byte more is counted', () => {
  // Each name takes one byte more than its length, for the comma.
  const half = 'A'.repeat(missingHeaderBytesMax / 2 - 1);
  assert.equal(missingHeader([half, half]), `${half},${half}`);
  assert.equal(decodeURIComponent(missingHeader([half, `${half}A`])), `${half},…+1`);
});

test('whatever a client asked for, the value is legal in a header, and short', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (names) => {
      const value = missingHeader(names);
      assert.match(value, /^[\x21-\x7E]*$/);
      assert.ok(value.length <= missingHeaderBytesMax + 20);
    }),
  );
});
