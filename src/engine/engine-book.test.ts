import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apply, at, latest, update } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import { plainVersionOf } from '../domain/quotes/quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { Engine } from './engine.ts';

const options = { settleDelayMs: 15 * 60_000, nextVersion: 1 };
const universe = makeUniverse([
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'CAUCION 1D', kind: 'interest-rate' },
  { ticker: 'ALIAS', derivation: { type: 'alias', source: 'AL30' as Ticker } },
  {
    ticker: 'DOUBLE',
    derivation: {
      type: 'scaled',
      source: 'CAUCION 1D' as Ticker,
      factors: [{ since: '2020-01-01' as PlainDate, factor: 2 }],
    },
  },
]);
const noon = at('2026-11-20', '12:00');
const whole = { bid: 99, ask: 101, bidSize: 5, askSize: 7, amount: 1_000, trades: 3 };

function al30(seconds: number, fields: object) {
  return update('AL30', noon + seconds * 1_000, fields);
}

/** An engine with a price at noon, and what further updates give. */
function opened(fields: object = {}): Engine {
  const engine = new Engine(universe, options);
  assert.equal(apply(engine, al30(0, { last: 100, ...fields })).outcome, 'accepted');
  return engine;
}

function book(engine: Engine): unknown {
  const { at: _, ...fields } = latest(engine, 'AL30')?.book ?? { at: 0 };
  return JSON.parse(JSON.stringify(fields));
}

test('a change of the book alone makes a new version and leaves everything that every client sees', () => {
  const engine = opened(whole);
  const before = latest(engine, 'AL30') ?? assert.fail('no quote');
  const { outcome, quotes, stored, closes } = apply(engine, al30(1, { bid: 98 }));
  assert.equal(outcome, 'accepted');
  const [after] = quotes;
  assert.deepEqual(
    quotes.map(({ instrument }) => instrument.ticker),
    ['AL30', 'ALIAS'],
  );
  assert.deepEqual(after, {
    ...before,
    version: before.version + 2,
    plainVersion: before.version,
    book: { ...before.book, at: noon + 1_000, bid: 98, bidSize: undefined },
  });
  const [one] = stored;
  assert.deepEqual([one?.version, one?.plainVersion], [before.version + 2, before.version]);
  assert.deepEqual(closes, []);
  const again = apply(engine, al30(2, { bid: 97 }));
  assert.equal(again.quotes[0] && plainVersionOf(again.quotes[0]), before.version);
});

test('after a change of the book the next price has a plain version of its own', () => {
  const engine = opened(whole);
  apply(engine, al30(1, { bid: 98 }));
  const { quotes } = apply(engine, al30(2, { last: 104 }));
  const [quote] = quotes;
  assert.equal(quote?.plainVersion, undefined);
  assert.equal(quote && plainVersionOf(quote), quote?.version);
  assert.deepEqual(
    engine.apply([al30(3, { bid: 97 }), al30(3, { last: 105 }), al30(3, { bid: 96 })], noon + 9_000)
      .quotes[0]?.plainVersion,
    undefined,
    'a price among changes of the book counts',
  );
});

test('a repeated book is unchanged, and its later instant is stored without a new version', () => {
  const engine = opened(whole);
  const before = latest(engine, 'AL30');
  assert.deepEqual(apply(engine, al30(0, whole)), {
    outcome: 'unchanged',
    quotes: [],
    stored: [],
    closes: [],
    bars: [],
  });
  const later = apply(engine, al30(5, { bid: 99 }));
  assert.deepEqual([later.outcome, later.quotes], ['unchanged', []]);
  assert.deepEqual(later.stored[0]?.session.book?.at, noon + 5_000);
  assert.equal(later.stored[0]?.version, before?.version);
  assert.equal(latest(engine, 'AL30'), before);
  assert.equal(apply(engine, al30(4, { bid: 90 })).outcome, 'unchanged', 'older than the latest');
  assert.deepEqual(book(engine), whole);
});

test('a late price does not bring back a book, and a late book does not bring back a price', () => {
  const engine = opened(whole);
  apply(engine, al30(10, { bid: 98, bidSize: 1 }));
  apply(engine, al30(5, { last: 120, bid: 80, bidSize: 9 }));
  assert.deepEqual(book(engine), { ...whole, bid: 98, bidSize: 1 });
  assert.deepEqual([latest(engine, 'AL30')?.last, latest(engine, 'AL30')?.high], [120, 120]);
  apply(engine, al30(3, { last: 70, ask: 102, askSize: 2 }));
  const { last, low, asOf } = latest(engine, 'AL30') ?? {};
  assert.deepEqual([last, low, asOf], [120, 70, noon + 5_000]);
});

test('contract 2.7.3: a book alone begins no session', () => {
  const engine = new Engine(universe, options);
  assert.deepEqual(apply(engine, al30(0, whole)), {
    outcome: 'no-price-yet',
    quotes: [],
    stored: [],
    closes: [],
    bars: [],
  });
  assert.equal(latest(engine, 'AL30'), undefined);
  assert.deepEqual(apply(engine, al30(0, { volume: 5, ...whole })).outcome, { refused: 'no-last' });
  apply(engine, update('AL30', at('2026-11-19', '12:00'), { last: 90 }));
  const before = latest(engine, 'AL30');
  assert.equal(apply(engine, al30(0, whole)).outcome, 'no-price-yet');
  assert.equal(latest(engine, 'AL30'), before);
});

test('contract 2.7.3: a new session begins without the book of the one before', () => {
  const engine = opened(whole);
  apply(engine, update('AL30', at('2026-11-24', '12:00'), { last: 100 }));
  assert.equal(latest(engine, 'AL30')?.book, undefined);
  const { outcome } = apply(engine, al30(60, { bid: 98 }));
  assert.equal(outcome, 'earlier-session');
});

test('contract 2.7.4: a book that cannot be true does not spoil the price beside it', () => {
  const engine = opened(whole);
  const { outcome } = apply(engine, al30(1, { last: 103, bid: -1, ask: 104, askSize: 1 }));
  assert.deepEqual(outcome, { refused: 'not-positive', part: 'book' });
  const { bid: _bid, bidSize: _bidSize, ...others } = whole;
  assert.deepEqual(book(engine), { ...others, ask: 104, askSize: 1 });
  assert.equal(latest(engine, 'AL30')?.last, 103);
  assert.equal(latest(engine, 'ALIAS')?.last, 103, 'derived instruments follow the price');
  assert.deepEqual(apply(engine, al30(2, { trades: 0.5 })).outcome, {
    refused: 'not-whole',
    part: 'book',
  });
  const wrongPrice = { last: 0, bid: 99, bidSize: 1 };
  assert.deepEqual(apply(engine, al30(3, wrongPrice)).outcome, { refused: 'not-positive' });
  assert.deepEqual(book(engine), { amount: 1_000, ask: 104, askSize: 1 });
});

test('contract 2.7.5: a book is discarded with the first price of another source', () => {
  const engine = new Engine(universe, options);
  const first = { name: 'first', delayMinutes: 0 };
  const second = { name: 'second', delayMinutes: 20 };
  const one = (seconds: number, fields: object, source?: typeof first) =>
    engine.apply([al30(seconds, fields)], noon + 60_000, source);
  one(0, { last: 100, ...whole }, first);
  one(1, { bid: 98 }, second);
  assert.equal(latest(engine, 'AL30')?.source, first, 'a book alone changes no source');
  assert.equal(latest(engine, 'AL30')?.book?.bid, 98);
  one(2, { volume: 5 }, second);
  assert.equal(latest(engine, 'AL30')?.book?.bid, 98, 'only a price replaces a source');
  assert.equal(latest(engine, 'AL30')?.source, first);
  one(3, { last: 100 }, second);
  assert.equal(latest(engine, 'AL30')?.book, undefined);
  one(3, { bid: 97 }, second);
  one(3, { last: 101 }, second);
  assert.equal(latest(engine, 'AL30')?.book?.bid, 97, 'the source is the same as before');
  one(4, { last: 101 }, first);
  assert.equal(latest(engine, 'AL30')?.book, undefined);
  one(5, { last: 102, ask: 103 }, second);
  assert.deepEqual(book(engine), { ask: 103 });
  const restarted = new Engine(universe, options);
  restarted.restore(one(6, { bid: 101 }, second).stored);
  restarted.apply([al30(7, { last: 102 })], noon + 60_000, second);
  assert.equal(latest(restarted, 'AL30')?.book?.bid, 101, 'the source is known after a restart');
  restarted.apply([al30(8, { last: 102 })], noon + 60_000, first);
  assert.equal(latest(restarted, 'AL30')?.book, undefined);
});

function json(one: unknown): unknown {
  return JSON.parse(JSON.stringify(one));
}

test('book and plain version survive a restart', () => {
  const engine = opened(whole);
  const { stored, quotes } = apply(engine, al30(1, { bid: 98 }));
  const restarted = new Engine(universe, options);
  restarted.restore(JSON.parse(JSON.stringify(stored)));
  assert.deepEqual(json(latest(restarted, 'AL30')), json(quotes[0]));
  const next = apply(restarted, al30(2, { bid: 97 }));
  assert.equal(next.quotes[0]?.plainVersion, quotes[0]?.plainVersion);
});

test('an update without any field is empty', () => {
  assert.deepEqual(apply(opened(), al30(1, {})).outcome, { refused: 'empty' });
});

test('contract 2.7.6: an alias has the book of its instrument, and no other derived instrument has one', () => {
  const engine = opened(whole);
  const alias = () => latest(engine, 'ALIAS');
  assert.deepEqual(alias()?.book, latest(engine, 'AL30')?.book);
  const before = alias() ?? assert.fail('no alias');
  apply(engine, al30(1, { bid: 98, askSize: 0 }));
  assert.deepEqual(alias()?.book, latest(engine, 'AL30')?.book);
  assert.equal(alias()?.book?.ask, undefined);
  assert.equal(alias()?.plainVersion, before.version);
  assert.equal(alias()?.asOf, before.asOf);
  apply(engine, update('AL30', at('2026-11-24', '12:00'), { last: 100 }));
  assert.equal(alias()?.book, undefined);
  apply(engine, update('CAUCION 1D', noon, { last: 30, bid: 29 }));
  apply(engine, update('CAUCION 1D', noon + 1, { bid: 28 }));
  assert.equal(latest(engine, 'DOUBLE')?.last, 60);
  assert.equal(latest(engine, 'DOUBLE')?.book, undefined);
});

test('an alias whose instrument is of another session keeps no book of it', () => {
  const engine = opened(whole);
  engine.adoptHistory([
    {
      ticker: 'ALIAS' as Ticker,
      closesReturned: 0,
      latest: { day: toEpochDay('2026-11-24' as PlainDate), close: 90, volume: null },
      sessionDate: '2026-11-24' as PlainDate,
      references: {},
    },
  ]);
  assert.equal(latest(engine, 'ALIAS')?.sessionDate, '2026-11-24');
  apply(engine, al30(1, { bid: 98 }));
  assert.equal(latest(engine, 'ALIAS')?.book, undefined);
});
