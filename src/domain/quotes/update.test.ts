import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bookFieldNames, plainFieldNames } from './quote-fields.ts';
import type { Ticker } from '../instruments/ticker.ts';
import { hasBook, hasPrices } from './update.ts';

const empty = { ticker: 'GGAL' as Ticker, at: 0 };

test('every field of an update but ticker and instant is of the prices or of the book, not of both', () => {
  assert.deepEqual([hasPrices(empty), hasBook(empty)], [false, false]);
  for (const field of bookFieldNames) {
    assert.deepEqual(
      [hasPrices({ ...empty, [field]: 0 }), hasBook({ ...empty, [field]: 0 })],
      [false, true],
      field,
    );
  }
  for (const field of plainFieldNames) {
    assert.deepEqual(
      [hasPrices({ ...empty, [field]: 0 }), hasBook({ ...empty, [field]: 0 })],
      [true, false],
      field,
    );
  }
});
