import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { Engine } from '../../engine/engine.ts';
import { UpdateBuffer } from './update-buffer.ts';

const universe = makeUniverse([
  { ticker: 'BTC', market: 'CRIPTO', kind: 'crypto' },
  { ticker: 'ETH', market: 'CRIPTO', kind: 'crypto' },
]);
const noon = Date.parse('2026-11-20T12:00:00-03:00');

/**
 * Prices of which none is beyond four times another. Beyond it the engine waits for several updates that agree, and a
 * buffer that leaves some of them out gives it fewer.
 */
const price = fc.integer({ min: 20, max: 80 });

function conflated(updates: readonly Update[]): readonly Update[] {
  const buffer = new UpdateBuffer();
  for (const update of updates) buffer.add(update);
  return buffer.take();
}

function quotesOf(updates: readonly Update[]): readonly unknown[] {
  const engine = new Engine(universe, { settleDelayMs: 0, nextVersion: 1 });
  engine.apply(updates, noon + 3_600_000);
  return engine.quotes().map(({ instrument, last, open, high, low, asOf }) => {
    return [instrument.ticker, last, open, high, low, asOf];
  });
}

/** The open depends on the order in which updates of one instant come. */
function withoutOpen(updates: readonly Update[]): readonly unknown[] {
  return quotesOf(updates).map((quote) => (quote as unknown[]).toSpliced(2, 1));
}

const someUpdates = fc.array(
  fc.record({
    ticker: fc.constantFrom('BTC' as Ticker, 'ETH' as Ticker),
    at: fc.integer({ min: 0, max: 5_000 }).map((ms) => noon + ms),
    last: price,
  }),
  { maxLength: 200 },
);

test('conflation changes no open, high, low or last price, in whatever order updates come', () => {
  const sorted = someUpdates.map((all) => all.toSorted((a, b) => a.at - b.at));
  fc.assert(
    fc.property(sorted, (all) => {
      // Of updates of one instant the engine takes the last one that it gets.
      assert.deepEqual(quotesOf(conflated(all)), quotesOf(all));
    }),
  );
  fc.assert(
    fc.property(someUpdates, (all) => {
      assert.deepEqual(withoutOpen(conflated(all)), withoutOpen(all));
    }),
  );
});

test('at most six updates of an instrument wait, in the order in which they came', () => {
  fc.assert(
    fc.property(someUpdates, (all) => {
      const taken = conflated(all);
      assert.ok(taken.length <= 2 * 6);
      const places = taken.map((update) => all.findIndex((one) => one === update));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
    }),
  );
});

test('the latest official close is kept', () => {
  const ticker = 'BTC' as Ticker;
  const close = { ticker, at: noon + 1, close: 7 };
  const taken = conflated([
    { ticker, at: noon, last: 5, close: 6 },
    close,
    { ticker, at: noon + 2, last: 4 },
    { ticker, at: noon + 3, last: 9 },
    { ticker, at: noon + 4, last: 5 },
  ]);
  assert.ok(taken.includes(close));
});

test('what was taken does not come again', () => {
  const buffer = new UpdateBuffer();
  buffer.add({ ticker: 'BTC' as Ticker, at: noon, last: 1 });
  assert.equal(buffer.take().length, 1);
  assert.deepEqual(buffer.take(), []);
});

function booksOf(updates: readonly Update[]): readonly unknown[] {
  const engine = new Engine(universe, { settleDelayMs: 0, nextVersion: 1 });
  const first = { ticker: 'BTC' as Ticker, at: noon, last: 50, bid: 49, bidSize: 3 };
  engine.apply([first, ...updates], noon + 3_600_000);
  return engine.quotes().map(({ last, open, high, low, book }) => {
    return [last, open, high, low, book];
  });
}

test('conflation changes no book and no price, however prices and books alternate', () => {
  const size = fc.integer({ min: 0, max: 9 });
  const side = (name: 'bid' | 'ask') =>
    fc.record({ price, size }).map((one) => ({ [name]: one.price, [`${name}Size`]: one.size }));
  const one = fc.oneof(
    side('bid'),
    side('ask'),
    size.map((trades) => ({ trades })),
    size.map((amount) => ({ amount })),
    price.map((last) => ({ last })),
    fc.tuple(side('bid'), price).map(([bid, last]) => ({ ...bid, last })),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 40 }), (fields) => {
      const all = fields.map((some, index) => ({
        ticker: 'BTC' as Ticker,
        at: noon + index,
        ...some,
      }));
      assert.deepEqual(booksOf(conflated(all)), booksOf(all));
    }),
  );
});

test('a book alone hides neither the first price nor the volume before it', () => {
  const ticker = 'BTC' as Ticker;
  const taken = conflated([
    { ticker, at: noon, bid: 1 },
    { ticker, at: noon + 1, last: 103 },
    { ticker, at: noon + 2, last: 100 },
    { ticker, at: noon + 3, last: 105 },
    { ticker, at: noon + 4, last: 104 },
    { ticker, at: noon + 5, volume: 9 },
    { ticker, at: noon + 6, ask: 106 },
  ]);
  assert.deepEqual(
    taken.map(({ at: _at, ticker: _ticker, ...fields }) => fields),
    [
      { bid: 1 },
      { last: 103 },
      { last: 100 },
      { last: 105 },
      { last: 104 },
      { volume: 9 },
      { bid: 1, ask: 106 },
    ],
  );
});
