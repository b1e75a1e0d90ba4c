import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { missingFields, missingHeaderBytesMax, missingNamesMax } from './response.ts';

function missingHeader(names: readonly string[]): string {
  return missingFields({ 'missing-especies': names })[1] ?? '';
}

test('contract 4.1.5: names are percent-encoded and comma-separated, as the client spelled them', () => {
  assert.equal(
    missingHeader(['noexiste', 'DOLAR X', 'A/B', 'ÑU']),
    'noexiste,DOLAR%20X,A%2FB,%C3%91U',
  );
});

test('contract 4.1.5: at most fifty names are listed, and the others are counted', () => {
  const names = Array.from({ length: 57 }, (_, index) => `X${index}`);
  assert.equal(missingHeader(names.slice(0, 50)), names.slice(0, 50).join(','));
  const value = missingHeader(names);
  assert.equal(decodeURIComponent(value), `${names.slice(0, missingNamesMax).join(',')},…+7`);
});

test('fifty tickers of maximum length fit, and names beyond the byte limit are counted', () => {
  const longest = Array.from({ length: 50 }, () => 'A'.repeat(40));
  assert.equal(missingHeader(longest), longest.join(','));
  assert.equal(decodeURIComponent(missingHeader(['A', 'X'.repeat(10_000), 'B'])), 'A,…+2');
});

test('a name that just fits is listed, commas included, and a name one byte longer is counted', () => {
  // Each name takes one byte more than its length, for the comma.
  const half = 'A'.repeat(missingHeaderBytesMax / 2 - 1);
  assert.equal(missingHeader([half, half]), `${half},${half}`);
  assert.equal(decodeURIComponent(missingHeader([half, `${half}A`])), `${half},…+1`);
});

test('for any missing names, the value is legal in a header, and within its limit', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (names) => {
      const value = missingHeader(names);
      assert.match(value, /^[\x21-\x7E]*$/);
      assert.ok(value.length <= missingHeaderBytesMax + 20);
    }),
  );
});
