import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { StoredQuote } from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { Engine } from './engine.ts';

const options = { settleDelayMs: 900_000, nextVersion: 1 };
const noon = Date.parse('2026-11-20T12:00:00-03:00');

/** The stored state of instruments, each with a higher version than the one before. */
function storedBy(tickers: readonly string[]): readonly StoredQuote[] {
  const engine = new Engine(makeUniverse(tickers.map((ticker) => ({ ticker }))), options);
  const updates = tickers.map((ticker) => ({ ticker: ticker as Ticker, at: noon, last: 100 }));
  return engine.apply(updates, noon).stored;
}

test('a quote whose instrument is not in the universe is skipped, and its version is never assigned again', () => {
  const engine = new Engine(makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]), options);
  engine.restore(storedBy(['VIST', 'GGAL', 'YPFD', 'SUPV']));
  assert.deepEqual(
    engine.quotes().map(({ instrument, last, version }) => [instrument.ticker, last, version]),
    [
      ['GGAL', 100, 2],
      ['YPFD', 100, 3],
    ],
  );
  const later = { ticker: 'GGAL' as Ticker, at: noon + 1_000, last: 101 };
  const { quotes } = engine.apply([later], later.at);
  assert.deepEqual(
    quotes.map(({ version }) => version),
    [5],
  );
});

test('settling a restored session returns its close and stores it, without a new quote', () => {
  const stored = storedBy(['GGAL']);
  const engine = new Engine(makeUniverse([{ ticker: 'GGAL' }]), options);
  engine.restore(stored);
  const changes = engine.settle(noon + 86_400_000);
  assert.deepEqual(changes.quotes, []);
  assert.deepEqual(
    changes.closes.map(({ close }) => close.close),
    [100],
  );
  assert.deepEqual(
    changes.stored.map(({ version, session }) => [version, session.isInHistory]),
    [[stored[0]?.version, true]],
  );
});

test('the close of a session names the source that was in use at its end, also after a restart, if it is known', () => {
  const universe = makeUniverse([{ ticker: 'GGAL' }]);
  const ticker = 'GGAL' as Ticker;
  const engine = new Engine(universe, options);
  engine.apply([{ ticker, at: noon, last: 1 }], noon, { name: 'one', delayMinutes: 0 });
  const last = { ticker, at: noon + 1, last: 2 };
  const { stored } = engine.apply([last], last.at, { name: 'two', delayMinutes: 20 });
  const [restarted, unknown] = [new Engine(universe, options), new Engine(universe, options)];
  restarted.restore(stored);
  unknown.restore(stored.map((quote) => ({ ...quote, source: undefined })));
  for (const [one, source] of [
    [engine, 'session:two'],
    [restarted, 'session:two'],
    [unknown, 'session'],
  ] as const) {
    assert.equal(one.pendingClose(ticker)?.close.source, source);
    const { closes } = one.settle(noon + 86_400_000);
    assert.deepEqual(
      closes.map(({ close }) => close.source),
      [source],
    );
  }
});

test('contract 4.4.2: a restored quote has the source that changed it last, until another changes it', () => {
  const derivation = { type: 'alias', source: 'GGAL' as Ticker } as const;
  const universe = makeUniverse([
    { ticker: 'GGAL' },
    { ticker: 'VIST' },
    { ticker: 'COPY', kind: 'spread', derivation },
  ]);
  const before = new Engine(universe, options);
  const first = { ticker: 'GGAL' as Ticker, at: noon, last: 100 };
  const { stored } = before.apply([first], noon, { name: 'byma', delayMinutes: 20 });
  const unnamed = before.apply([{ ...first, ticker: 'VIST' as Ticker }], noon).stored;
  const engine = new Engine(universe, options);
  engine.restore([...stored, ...unnamed]);
  const sources = (): unknown => engine.quotes().map(({ source }) => source);
  assert.deepEqual(sources(), [
    { name: 'byma', delayMinutes: 20 },
    undefined,
    { delayMinutes: 20 },
  ]);
  const later = { ticker: 'GGAL' as Ticker, at: noon + 1_000, last: 101 };
  engine.apply([later], later.at, { name: 'primary', delayMinutes: 0 });
  assert.deepEqual(sources(), [
    { name: 'primary', delayMinutes: 0 },
    undefined,
    { delayMinutes: 0 },
  ]);
  const last = { ...later, at: noon + 2_000, last: 102 };
  engine.apply([last], last.at, { name: 'byma', delayMinutes: 0 });
  assert.deepEqual(engine.quotes()[0]?.source, { name: 'byma', delayMinutes: 0 });
});
