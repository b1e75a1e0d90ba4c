import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../test/support/make-universe.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import { makeQuote } from '../domain/quote.ts';
import type { Quote } from '../domain/quote.ts';
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
  const revisions = [board.revision];
  for (const batch of [[a2, b3], [quote(0, 1), quote(1, 3)], [], [quote(1, 2), a4]]) {
    board.adopt(batch);
    revisions.push(board.revision);
  }
  assert.deepEqual(received, [[a2, b3], [a4]]);
  const [none = 0, first = 0, older, empty, last = 0] = revisions;
  assert.ok(first > none && last > first);
  assert.deepEqual([older, empty], [first, first]);
});
