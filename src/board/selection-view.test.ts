import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { makeQuote, type Quote } from '../domain/quotes/quote.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { Board, SelectionView } from './board.ts';

const universe = makeUniverse([
  { ticker: 'A', panels: ['LID'] },
  { ticker: 'B', panels: ['LID'] },
  { ticker: 'C' },
]);

function quote(ticker: string, version: number): Quote {
  const sessionDate = '2026-11-20' as PlainDate;
  const session = { sessionDate, last: version, volume: null };
  return makeQuote(universe.get(ticker as Ticker), { version, session, references: {} });
}

test('a view has changed exactly when one of its own quotes has', () => {
  const board = new Board(universe);
  board.adopt([quote('A', 1)]);
  const view = board.select({ tickers: [], panel: 'LID' });
  const before = view.quotes;
  board.adopt([quote('C', 2)]);
  assert.equal(view.quotes, before);
  board.adopt([quote('A', 1)]);
  assert.equal(view.quotes, before);
  board.adopt([quote('B', 3)]);
  const after = view.quotes;
  assert.notEqual(after, before);
  assert.equal(view.quotes, after);
});

test('a ticker is no longer missing once it has a quote', () => {
  const board = new Board(universe);
  const view = board.select({ tickers: ['x', 'b'], panel: 'LID' });
  assert.deepEqual(view.missing, ['x', 'B', 'A']);
  board.adopt([quote('B', 1)]);
  assert.deepEqual(view.missing, ['x', 'A']);
  assert.deepEqual(
    view.quotes.map(({ version }) => version),
    [1],
  );
});

test('an old view that is updated shows the same as a new one', () => {
  const tickers = fc.constantFrom('A', 'B', 'C');
  const updates = fc.array(
    fc.array(fc.record({ ticker: tickers, version: fc.integer({ min: 1, max: 20 }) })),
  );
  const asked = fc.array(fc.constantFrom('a', 'B', ' c', 'zz'));
  fc.assert(
    fc.property(updates, asked, fc.boolean(), (batches, spellings, withPanel) => {
      const board = new Board(universe);
      const selection = { tickers: spellings, ...(withPanel ? { panel: 'LID' as const } : {}) };
      const view = board.select(selection);
      for (const batch of batches) {
        const before = view.quotes;
        board.adopt(batch.map(({ ticker, version }) => quote(ticker, version)));
        const hasChanged = view.quotes !== before;
        const fresh = board.select(selection);
        assert.deepEqual(view.quotes, fresh.quotes);
        assert.deepEqual(view.missing, fresh.missing);
        assert.equal(hasChanged, !isSame(before, fresh.quotes));
      }
    }),
  );
});

function isSame(a: readonly Quote[], b: readonly Quote[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

test('a source is not asked for a spelling that matches no instrument', () => {
  const [instrument] = universe.instruments;
  if (instrument === undefined) throw new Error('no instrument');
  const asked: unknown[] = [];
  const source = {
    revision: 1,
    quote: (one: unknown) => {
      asked.push(one);
      return undefined;
    },
  };
  const view = new SelectionView(source, ['x', instrument]);
  const before = view.quotes;
  assert.equal(asked.length, 1, 'the revision is the same, so nothing is asked');
  source.revision = 2;
  assert.equal(view.quotes, before);
  assert.deepEqual(asked, [instrument, instrument]);
  assert.deepEqual(view.missing, ['x', 'A']);
});
