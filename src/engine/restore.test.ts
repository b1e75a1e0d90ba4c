import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../test/support/make-universe.ts';
import type { StoredQuote } from '../domain/stored-quote.ts';
import type { Ticker } from '../domain/ticker.ts';
import { Engine } from './engine.ts';

const options = { settleDelayMs: 900_000, nextVersion: 1 };
const noon = Date.parse('2026-11-20T12:00:00-03:00');

/** The stored state of two instruments, the second with the higher version. */
function storedBy(tickers: readonly string[]): readonly StoredQuote[] {
  const engine = new Engine(makeUniverse(tickers.map((ticker) => ({ ticker }))), options);
  const updates = tickers.map((ticker) => ({ ticker: ticker as Ticker, at: noon, last: 100 }));
  return engine.apply(updates, noon).stored;
}

test('restoring skips a stored quote whose instrument is not in the universe, and restores the others', () => {
  const stored = storedBy(['GGAL', 'VIST', 'YPFD']);
  const engine = new Engine(makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]), options);
  engine.restore(stored);
  assert.deepEqual(
    engine.quotes().map(({ instrument, last, version }) => [instrument.ticker, last, version]),
    [
      ['GGAL', 100, 1],
      ['YPFD', 100, 3],
    ],
  );
});

test('the version of a skipped quote is never assigned again', () => {
  const engine = new Engine(makeUniverse([{ ticker: 'GGAL' }]), options);
  engine.restore(storedBy(['GGAL', 'VIST']));
  const later = { ticker: 'GGAL' as Ticker, at: noon + 1_000, last: 101 };
  const { quotes } = engine.apply([later], later.at);
  assert.deepEqual(
    quotes.map(({ version }) => version),
    [3],
  );
});

test('updates continue a restored session: open, high and low stay, and the price changes', () => {
  const universe = makeUniverse([{ ticker: 'GGAL' }]);
  const before = new Engine(universe, options);
  const first = { ticker: 'GGAL' as Ticker, at: noon, last: 100, high: 120, low: 90 };
  const { stored } = before.apply([first], noon);
  const engine = new Engine(universe, options);
  engine.restore(stored);
  const later = { ticker: 'GGAL' as Ticker, at: noon + 1_000, last: 110 };
  const [quote] = engine.apply([later], later.at).quotes;
  assert.deepEqual([quote?.open, quote?.high, quote?.low, quote?.last], [100, 120, 90, 110]);
});

test('settling a restored session returns its close and stores it, without a new quote', () => {
  const stored = storedBy(['GGAL']);
  const engine = new Engine(makeUniverse([{ ticker: 'GGAL' }]), options);
  engine.restore(stored);
  const turn = engine.settle(noon + 86_400_000);
  assert.deepEqual(turn.quotes, []);
  assert.deepEqual(
    turn.closes.map(({ close }) => close.close),
    [100],
  );
  assert.deepEqual(
    turn.stored.map(({ version, session }) => [version, session.isInHistory]),
    [[stored[0]?.version, true]],
  );
});
