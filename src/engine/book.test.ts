import assert from 'node:assert/strict';
import { test } from 'node:test';

import { showsSameBook, type Book } from '../domain/quotes/book.ts';
import { bookFieldNames, type BookField } from '../domain/quotes/quote-fields.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { readBook, withBook } from './book.ts';

type Fields = Readonly<Partial<Record<BookField, number>>>;

const noon = 1_795_000_000_000;
const price = { isPrice: true, last: 100 };

function read(fields: Fields, limits: Parameters<typeof readBook>[1] = price, at = noon) {
  return readBook({ ticker: 'GGAL' as Ticker, at, ...fields }, limits);
}

const session: LiveSession = {
  sessionDate: '2026-11-20' as PlainDate,
  last: 100,
  volume: null,
  openAt: null,
  isInHistory: true,
  historyClose: 100,
};

/** The book that reports leave, one after the other. Without its instant and what is unknown. */
function shown(...reports: readonly Fields[]): Fields {
  let after = session;
  for (const [index, fields] of reports.entries()) {
    const report = read(fields, price, noon + index);
    after = withBook(after, after.book, report);
  }
  const known = bookFieldNames.filter((field) => after.book?.[field] !== undefined);
  return Object.fromEntries(known.map((field) => [field, after.book?.[field]]));
}

const whole = { bid: 99, ask: 101, bidSize: 5, askSize: 7, amount: 1_000.5, trades: 3 };

test('a crossed book is shown as it was reported', () => {
  assert.deepEqual(shown({ bid: 102, ask: 99 }), { bid: 102, ask: 99 });
});

test('a field that cannot be true is unknown from then on, and the others are used', () => {
  const { bid: _bid, bidSize: _bidSize, ...withoutBid } = whole;
  const { ask: _ask, askSize: _askSize, ...withoutAsk } = whole;
  for (const bad of [0, -1, Number.NaN, Infinity, 5_000.01, 1.99]) {
    assert.deepEqual(shown(whole, { bid: bad }), withoutBid, `bid ${bad}`);
    assert.deepEqual(shown(whole, { ask: bad }), withoutAsk, `ask ${bad}`);
  }
  for (const bad of [-0.1, Number.NaN, Infinity]) {
    for (const field of ['bidSize', 'askSize', 'amount', 'trades'] as const) {
      const { [field]: _, ...others } = whole;
      assert.deepEqual(shown(whole, { [field]: bad }), others, `${field} ${bad}`);
    }
  }
  assert.deepEqual(shown({ bid: 0, bidSize: 3, ask: 101 }), { ask: 101 });
});

test('the reason of a refusal is that of the first field that cannot be true', () => {
  const cases: readonly (readonly [Fields, string | undefined])[] = [
    [whole, undefined],
    [{ bid: Number.NaN }, 'not-finite'],
    [{ ask: 0 }, 'not-positive'],
    [{ ask: 5_000, bid: 2 }, undefined],
    [{ ask: 5_000.01 }, 'implausible'],
    [{ bid: 1.999 }, 'implausible'],
    [{ bidSize: -1, trades: 0.5 }, 'negative-quantity'],
    [{ trades: 0.5 }, 'not-whole'],
    [{ trades: 2 ** 53 }, 'not-whole'],
    [{ trades: 2 ** 53 - 1 }, undefined],
    [{ trades: -1 }, 'negative-quantity'],
    [{ bidSize: 0, askSize: 0, amount: 0, trades: 0 }, undefined],
    [{ bidSize: 0, bid: 0, askSize: 0, ask: 0 }, undefined],
  ];
  for (const [fields, reason] of cases) {
    assert.equal(read(fields).refused, reason, JSON.stringify(fields));
  }
  assert.equal(read({ bid: 1_000_000 }, { isPrice: true, last: 20_000 }).refused, undefined);
  assert.equal(read({ bid: 1_000_001 }, { isPrice: true, last: 20_000 }).refused, 'implausible');
  assert.equal(read({ bid: -3 }, { isPrice: false, last: 100 }).refused, undefined);
});

test('without a report a session keeps its book', () => {
  assert.equal(withBook(session, undefined, undefined), session);
});

function fold(held: Book | undefined, at: number, fields: Fields): Book | undefined {
  return withBook(session, held, read(fields, price, at)).book;
}

test('a report from before the latest one changes nothing, one of the same instant does', () => {
  const first = fold(undefined, noon, { bid: 99 });
  assert.deepEqual([first?.at, first?.bid], [noon, 99]);
  assert.equal(fold(first, noon - 1, { bid: 98 }), first);
  assert.equal(fold(first, noon, { bid: 98 })?.bid, 98);
  assert.equal(fold(first, noon, { bid: 99 }), first, 'a repeated report');
  const later = fold(first, noon + 1, { bid: 99 });
  assert.equal(later?.at, noon + 1);
  assert.ok(showsSameBook(first, later));
});
