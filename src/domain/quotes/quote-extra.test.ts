import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleQuotes } from '../../../test/support/market/sample-market.ts';
import { bookFieldNames } from './quote-fields.ts';
import {
  differFor,
  extraOf,
  extrasOf,
  noExtras,
  quoteExtras,
  seesPlainChanges,
  versionFor,
} from './quote-extra.ts';

test('there is one array for each combination of extras, in their own order', () => {
  assert.equal(extrasOf([]), noExtras);
  assert.deepEqual(noExtras, []);
  assert.deepEqual(extrasOf(['source', 'ask', 'bid', 'ask']), ['bid', 'ask', 'source']);
  assert.equal(extrasOf(['ask', 'bid']), extrasOf(['bid', 'ask', 'bid']));
  const arrays = new Set(
    Array.from({ length: 2 ** quoteExtras.length }, (_, bits) =>
      extrasOf(quoteExtras.filter((_name, at) => (bits & (1 << at)) !== 0)),
    ),
  );
  assert.equal(arrays.size, 2 ** quoteExtras.length);
  assert.deepEqual(extrasOf(quoteExtras), quoteExtras);
});

test('an extra is a field of the book, the name of the source, or the instant; undefined where it is not known', () => {
  const [plain] = sampleQuotes;
  assert.ok(plain !== undefined);
  for (const extra of quoteExtras) assert.equal(extraOf(plain, extra), undefined, extra);
  const values = bookFieldNames.map((_field, index) => index);
  const book = { at: 9, ...Object.fromEntries(bookFieldNames.map((field, at) => [field, at])) };
  const quote = { ...plain, book, source: { name: 'byma', delayMinutes: 20 }, asOf: 7 };
  assert.deepEqual(
    quoteExtras.map((extra) => extraOf(quote, extra)),
    [...values, 'byma', 7],
  );
});

test('the version for a reader without extras is that of the latest plain change', () => {
  const [plain] = sampleQuotes;
  assert.ok(plain !== undefined);
  const quote = { ...plain, version: 9, plainVersion: 4 };
  assert.deepEqual([versionFor(quote, noExtras), versionFor(quote, extrasOf(['bid']))], [4, 9]);
  assert.equal(versionFor({ ...plain, version: 9 }, noExtras), 9);
});

test('a reader of the instant alone sees what a reader without extras sees, and a later instant is no difference', () => {
  const [plain] = sampleQuotes;
  assert.ok(plain !== undefined);
  const instant = extrasOf(['instant']);
  assert.ok(seesPlainChanges(instant) && seesPlainChanges(noExtras));
  assert.ok(!seesPlainChanges(extrasOf(['instant', 'bid'])));
  const quote = { ...plain, version: 9, plainVersion: 4, asOf: 1 };
  assert.equal(versionFor(quote, instant), 4);
  const later = { ...quote, version: 10, asOf: 2, book: { at: 1, bid: 5 } };
  assert.ok(!differFor(quote, later, instant));
  assert.ok(differFor(quote, later, extrasOf(['instant', 'bid'])));
  assert.ok(differFor(quote, { ...later, plainVersion: 10 }, instant));
});

test('two quotes differ for a reader by a plain change, or by an extra that it gets', () => {
  const [plain] = sampleQuotes;
  assert.ok(plain !== undefined);
  const before = { ...plain, version: 9 };
  const after = { ...plain, version: 10, plainVersion: 9, book: { at: 1, bid: 5 } };
  assert.ok(!differFor(before, after, noExtras));
  assert.ok(differFor(before, after, extrasOf(['bid'])));
  assert.ok(differFor(before, after, extrasOf(['trades', 'bid'])));
  assert.ok(!differFor(before, after, extrasOf(['trades', 'source'])));
  assert.ok(differFor(before, { ...before, version: 10 }, noExtras));
  assert.ok(differFor(before, { ...before, version: 10 }, extrasOf(['trades'])));
});
