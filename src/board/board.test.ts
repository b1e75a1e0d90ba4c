import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import { extrasOf, noExtras } from '../domain/quotes/quote-extra.ts';
import { makeQuote, type Quote } from '../domain/quotes/quote.ts';
import { Board } from './board.ts';

const universe = makeUniverse([{ ticker: 'A' }, { ticker: 'B' }]);
const sessionDate = '2026-11-20' as PlainDate;

function quote(position: number, version: number): Quote {
  const instrument = universe.instruments[position] ?? assert.fail();
  const session = { sessionDate, last: version, volume: null };
  return makeQuote(instrument, { version, session, references: {} });
}

test('subscribers receive only newer quotes, and the revision increases with each of those batches', () => {
  const board = new Board(universe);
  const received: (readonly Quote[])[] = [];
  using _ = board.subscribe((quotes) => void received.push(quotes));
  const [a2, b3, a4] = [quote(0, 2), quote(1, 3), quote(0, 4)];
  const latest = board.latestFor(noExtras);
  const revisions = [latest.revision];
  for (const batch of [[a2, b3], [quote(0, 1), quote(1, 3)], [], [quote(1, 2), a4]]) {
    board.adopt(batch);
    revisions.push(latest.revision);
  }
  assert.deepEqual(received, [[a2, b3], [a4]]);
  const [none = 0, first = 0, older, empty, last = 0] = revisions;
  assert.ok(first > none && last > first);
  assert.deepEqual([older, empty], [first, first]);
});

test('the size and the highest version of a board are those of its quotes, in whatever order they arrive', () => {
  const board = new Board(universe);
  const seen = (): number[] => [board.size, board.latestVersion];
  assert.deepEqual(seen(), [0, 0]);
  board.adopt([quote(1, 5)]);
  assert.deepEqual(seen(), [1, 5]);
  board.adopt([quote(0, 3), quote(1, 4)]);
  assert.deepEqual(seen(), [2, 5]);
  board.adopt([{ ...quote(0, 3), version: 6, plainVersion: 3, book: { at: 1, bid: 1 } }]);
  assert.deepEqual(seen(), [2, 6]);
});

test('a change of the book alone is new to readers with extras, and nothing to the others', () => {
  const board = new Board(universe);
  const [a] = universe.instruments;
  assert.ok(a !== undefined);
  const first = quote(0, 2);
  const [plain, withBook] = [noExtras, extrasOf(['bid'])].map((extras) => board.latestFor(extras));
  assert.ok(plain !== undefined && withBook !== undefined);
  board.adopt([first]);
  const [plainRevision, revision] = [plain.revision, withBook.revision];
  const received: (readonly Quote[])[] = [];
  using _ = board.subscribe((quotes) => void received.push(quotes));
  const changed: Quote = { ...first, version: 3, plainVersion: 2, book: { at: 3, bid: 3 } };
  board.adopt([changed]);
  assert.deepEqual(received, [[changed]]);
  assert.equal(plain.quote(a), first);
  assert.equal(plain.revision, plainRevision);
  assert.equal(withBook.quote(a), changed);
  assert.equal(board.quote(a), changed);
  assert.ok(withBook.revision > revision);
  const next = quote(0, 5);
  board.adopt([next]);
  assert.deepEqual([plain.quote(a), withBook.quote(a)], [next, next]);
  assert.ok(plain.revision > plainRevision);
});

test('a price that was conflated with a later change of the book is new to every reader', () => {
  const board = new Board(universe);
  board.adopt([quote(0, 2)]);
  const conflated: Quote = { ...quote(0, 5), plainVersion: 4, book: { at: 1, bid: 1 } };
  board.adopt([conflated]);
  const [a] = universe.instruments;
  assert.ok(a !== undefined);
  assert.equal(board.latestFor(noExtras).quote(a), conflated);
});
