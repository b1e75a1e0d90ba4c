import assert from 'node:assert/strict';
import { test } from 'node:test';

import { showsSameBook } from './book.ts';
import { bookFieldNames } from './quote-fields.ts';

const book = { at: 1, ...Object.fromEntries(bookFieldNames.map((field) => [field, 6])) };

test('two books show the same unless a field differs; their instants do not matter', () => {
  assert.ok(showsSameBook(book, book));
  assert.ok(showsSameBook(book, { ...book, at: 2 }));
  assert.ok(showsSameBook(undefined, undefined));
  assert.ok(showsSameBook(undefined, { at: 1 }));
  assert.ok(!showsSameBook(undefined, book));
  assert.ok(!showsSameBook(book, undefined));
  for (const field of bookFieldNames) {
    assert.ok(!showsSameBook(book, { ...book, [field]: 7 }), field);
    assert.ok(!showsSameBook({ ...book, [field]: undefined }, book), field);
  }
});
