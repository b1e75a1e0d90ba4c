import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../../test/support/market/close-on.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';
import { makeQuote, type Quote } from './quote.ts';
import { rankQuotes } from './rank-quotes.ts';

const universe = makeUniverse([
  { ticker: 'A' },
  { ticker: 'B' },
  { ticker: 'C' },
  { ticker: 'D' },
  { ticker: 'TASA', kind: 'interest-rate' },
]);

function quote(ticker: string, last: number, volume: number | null): Quote {
  const session = { sessionDate: '2026-11-20' as PlainDate, last, volume };
  const references = { previous: closeOn('2026-11-19', 100) };
  return makeQuote(universe.get(ticker as Ticker), { version: 1, session, references });
}

const quotes = [
  quote('A', 101, null),
  quote('B', 103, 5),
  quote('TASA', 190, null),
  quote('C', 101, 7),
  quote('D', 99, 0),
];

function ranked(...[by, order, limit = 9]: Parameters<typeof ranking>): string {
  return rankQuotes(quotes, ranking(by, order, limit))
    .map(({ instrument }) => instrument.ticker)
    .join('');
}

function ranking(
  by: 'change' | 'volume' | 'amount',
  order: 'descending' | 'ascending',
  limit = 9,
): Parameters<typeof rankQuotes>[1] {
  return { by, order, limit };
}

test('quotes are sorted either way, equal ones keep their order, and changes in points are left out', () => {
  assert.equal(ranked('change', 'descending'), 'BACD');
  assert.equal(ranked('change', 'ascending'), 'DACB');
  assert.equal(ranked('change', 'descending', 2), 'BA');
});

test('quotes without the value are left out; a volume of 0 is one', () => {
  assert.equal(ranked('volume', 'descending'), 'CBD');
  assert.equal(ranked('amount', 'descending'), '');
});
