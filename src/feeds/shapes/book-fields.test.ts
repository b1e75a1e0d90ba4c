import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bookFieldNames } from '../../domain/quotes/quote-fields.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { bookOf, isSameReport, mergedBook, sideOf, totalOf, withoutBook } from './book-fields.ts';

const prices = { ticker: 'GGAL' as Ticker, at: 1, last: 2, volume: 3 };
const book = { bid: 4, ask: 5, bidSize: 6, askSize: 7, amount: 8, trades: 9 };

test('an update is divided into its prices and its book', () => {
  assert.deepEqual(bookOf({ ...prices, ...book }), book);
  assert.deepEqual(withoutBook({ ...prices, ...book }), prices);
  assert.equal(bookOf(prices), undefined);
  assert.deepEqual(bookOf({ ...prices, trades: 0 }), { trades: 0 });
});

test('two reports are the same if every field is', () => {
  assert.ok(isSameReport(book, { ...book }));
  assert.ok(isSameReport(undefined, undefined));
  for (const field of bookFieldNames)
    assert.ok(!isSameReport(book, { ...book, [field]: 1 }), field);
  assert.ok(!isSameReport(undefined, book));
});

test('a side has its price and its size; 0 and null are no orders; what is missing is not reported', () => {
  assert.deepEqual(sideOf('bid', 10, 3), { bid: 10, bidSize: 3 });
  assert.deepEqual(sideOf('ask', 10.5, 0.25), { ask: 10.5, askSize: 0.25 });
  for (const none of [0, null]) {
    assert.deepEqual(sideOf('bid', none, 3), { bidSize: 0 });
    assert.deepEqual(sideOf('ask', none, undefined), { askSize: 0 });
  }
  for (const size of [0, null, undefined]) {
    assert.deepEqual(sideOf('ask', 10, size), { ask: 10 });
  }
  assert.deepEqual(sideOf('bid', undefined, 3), {});
});

test('a field of the book with another type is passed on as one that cannot be true, so that it is counted', () => {
  for (const value of ['10', true, {}, [10]]) {
    assert.deepEqual(sideOf('bid', value, 3), { bid: Number.NaN, bidSize: 3 });
    assert.deepEqual(sideOf('ask', 10, value), { ask: 10, askSize: Number.NaN });
    assert.deepEqual(totalOf('trades', value), { trades: Number.NaN });
  }
  const odd = { ask: 10, askSize: Number.NaN };
  assert.ok(isSameReport(odd, { ...odd }), 'it is counted once, not with every snapshot');
});

test('a total is reported unless it is missing', () => {
  assert.deepEqual(totalOf('amount', 0), { amount: 0 });
  assert.deepEqual(totalOf('trades', 5), { trades: 5 });
  for (const value of [undefined, null]) assert.deepEqual(totalOf('trades', value), {});
});

test('of two reports the later field counts, and a size does not outlive its price', () => {
  assert.deepEqual(mergedBook(book, {}), book);
  assert.deepEqual(mergedBook({}, book), book);
  assert.deepEqual(mergedBook(book, { trades: 10 }), { ...book, trades: 10 });
  assert.deepEqual(mergedBook(book, { bidSize: 1 }), { ...book, bidSize: 1 });
  const { bidSize, askSize, ...others } = book;
  assert.deepEqual(mergedBook(book, { bid: 1 }), { ...others, askSize, bid: 1 });
  assert.deepEqual(mergedBook(book, { ask: 1 }), { ...others, bidSize, ask: 1 });
  const { bid: _bid, ask: _ask, ...sizes } = book;
  assert.deepEqual(mergedBook(book, { bidSize: 0, askSize: 0 }), {
    ...sizes,
    bidSize: 0,
    askSize: 0,
  });
  assert.deepEqual(mergedBook({ bidSize: 0, askSize: 0 }, { bidSize: 5, askSize: 5 }), {
    bidSize: 0,
    askSize: 0,
  });
  assert.deepEqual(mergedBook({ askSize: 0 }, { ask: 3 }), { ask: 3 });
});
