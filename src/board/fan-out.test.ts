import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import { extrasOf, noExtras, versionFor, type QuoteExtras } from '../domain/quotes/quote-extra.ts';
import { makeQuote, type Quote } from '../domain/quotes/quote.ts';
import { Board } from './board.ts';
import { FanOut, type QuoteFollower } from './fan-out.ts';

const tickers = ['A', 'B', 'C', 'D', 'E'];
const universe = makeUniverse(tickers.map((ticker) => ({ ticker, panels: ['LID'] })));
const sessionDate = '2026-11-20' as PlainDate;

function quote(position: number, version: number): Quote {
  const instrument = universe.instruments[position];
  assert.ok(instrument !== undefined);
  const session = { sessionDate, last: version, volume: null };
  return makeQuote(instrument, { version, session, references: {} });
}

const versions = (quotes: readonly Quote[]): number[] => quotes.map(({ version }) => version);

test('whichever quotes are skipped, the versions a follower returns increase and end with the latest', () => {
  const step = fc.oneof(
    fc.record({ adopt: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ take: fc.integer({ min: 1, max: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const board = new Board(universe);
      using fanOut = new FanOut(board);
      using follower = fanOut.follow({ tickers: [], panel: 'LID' }, { onReady: () => undefined });
      const taken: Quote[] = [];
      for (const [index, one] of steps.entries()) {
        if ('adopt' in one) board.adopt([quote(one.adopt, index + 1)]);
        else taken.push(...follower.take(one.take));
      }
      taken.push(...follower.take(tickers.length));
      assert.equal(follower.isReady, false);
      assert.deepEqual(
        versions(taken),
        versions(taken).toSorted((a, b) => a - b),
      );
      for (const instrument of universe.instruments) {
        const last = taken.findLast((one) => one.instrument === instrument);
        assert.equal(last, board.quote(instrument));
      }
    }),
  );
});

test('a follower calls back once when quotes become pending, and again only after they were taken', () => {
  const board = new Board(universe);
  using fanOut = new FanOut(board);
  let calls = 0;
  using follower = fanOut.follow({ tickers: ['A', 'B'] }, { onReady: () => (calls += 1) });
  board.adopt([quote(0, 1), quote(1, 2)]);
  board.adopt([quote(0, 3)]);
  assert.equal(calls, 1);
  assert.deepEqual(versions(follower.take(10)), [2, 3]);
  board.adopt([quote(2, 4)]);
  assert.equal(calls, 1);
  board.adopt([quote(0, 5)]);
  assert.equal(calls, 2);
});

test('a disposed follower receives no more quotes', () => {
  const board = new Board(universe);
  using fanOut = new FanOut(board);
  const follower = fanOut.follow({ tickers: ['A'] }, { onReady: () => undefined });
  follower[Symbol.dispose]();
  board.adopt([quote(0, 1)]);
  assert.equal(follower.isReady, false);
});

test('a reader that reconnects gets the quotes newer than its version, and all of them when its version is unknown', () => {
  const board = new Board(universe);
  using fanOut = new FanOut(board);
  board.adopt([quote(0, 3), quote(1, 5)]);
  const waitingAfter = (after: number | undefined): readonly number[] => {
    const selection = { tickers: [], panel: 'LID' as const };
    using follower = fanOut.follow(selection, { after, onReady: () => undefined });
    return versions(follower.take(10));
  };
  assert.deepEqual(waitingAfter(undefined), [3, 5]);
  assert.deepEqual(waitingAfter(0), [3, 5]);
  assert.deepEqual(waitingAfter(2), [3, 5]);
  assert.deepEqual(waitingAfter(3), [5]);
  assert.deepEqual(waitingAfter(5), [], 'it has seen the latest');
  assert.deepEqual(waitingAfter(6), [3, 5], 'this board has not reached its version');
});

test('a disposed fan-out no longer follows its board', () => {
  const board = new Board(universe);
  const fanOut = new FanOut(board);
  let ready = 0;
  const selection = { tickers: ['A'] };
  fanOut.follow(selection, { onReady: () => (ready += 1) });
  fanOut[Symbol.dispose]();
  board.adopt([quote(0, 1)]);
  assert.equal(ready, 0);
});

/** A quote whose latest plain change is older than its book. */
function bookOf(position: number, by: [version: number, plain: number], bid: number): Quote {
  const [version, plainVersion] = by;
  return { ...quote(position, plainVersion), version, plainVersion, book: { at: version, bid } };
}

const withBid = extrasOf(['bid']);

function following(fanOut: FanOut, extras?: QuoteExtras, after?: number): QuoteFollower {
  const options = { onReady: () => undefined, after, ...(extras && { extras }) };
  return fanOut.follow({ tickers: [], panel: 'LID' }, options);
}

test('a change of the book reaches the followers that get that field, and no other', () => {
  const board = new Board(universe);
  board.adopt([quote(0, 1)]);
  using fanOut = new FanOut(board);
  using plain = following(fanOut);
  using bids = following(fanOut, withBid);
  using sources = following(fanOut, extrasOf(['ask', 'source']));
  const all = [plain, bids, sources];
  for (const one of all) assert.deepEqual(versions(one.take(9)), [1]);
  board.adopt([bookOf(0, [2, 1], 50)]);
  assert.deepEqual(
    all.map(({ isReady }) => isReady),
    [false, true, false],
  );
  assert.deepEqual(versions(bids.take(9)), [2]);
  board.adopt([bookOf(0, [3, 1], 50)]);
  assert.deepEqual(
    all.map(({ isReady }) => isReady),
    [false, false, false],
  );
  board.adopt([bookOf(0, [5, 4], 50)]);
  for (const one of all) assert.deepEqual(versions(one.take(9)), [5]);
});

test('the first quote of an instrument reaches every follower', () => {
  const board = new Board(universe);
  using fanOut = new FanOut(board);
  using plain = following(fanOut);
  using bids = following(fanOut, withBid);
  board.adopt([bookOf(0, [2, 1], 50)]);
  assert.deepEqual([plain.isReady, bids.isReady], [true, true]);
});

test('a disposed follower of extras receives no more quotes', () => {
  const board = new Board(universe);
  using fanOut = new FanOut(board);
  const bids = following(fanOut, withBid);
  bids[Symbol.dispose]();
  board.adopt([quote(0, 1)]);
  assert.equal(bids.isReady, false);
});

test('a plain reader that reconnects does not get what changed in the book only', () => {
  const board = new Board(universe);
  board.adopt([quote(0, 1), quote(1, 2)]);
  board.adopt([bookOf(0, [3, 1], 50), quote(2, 4)]);
  using fanOut = new FanOut(board);
  const received = (extras: QuoteExtras): number[] => {
    using follower = following(fanOut, extras, 2);
    return follower.take(9).map((one) => versionFor(one, extras));
  };
  assert.deepEqual(received(noExtras), [4]);
  assert.deepEqual(received(withBid), [3, 4]);
});

test('a plain follower gets quotes in the order of their plain versions', () => {
  const board = new Board(universe);
  using fanOut = new FanOut(board);
  using plain = following(fanOut);
  board.adopt([quote(1, 5), bookOf(0, [6, 4], 50), bookOf(2, [7, 3], 50)]);
  const taken = [...plain.take(2), ...plain.take(2)];
  assert.deepEqual(
    taken.map((one) => versionFor(one, noExtras)),
    [3, 4, 5],
  );
});
