import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../test/support/market/close-on.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { ReferenceCloses } from '../domain/history/reference-closes.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { Engine } from './engine.ts';
import type { ChangeSet } from './change-set.ts';

const ticker = 'GGAL' as Ticker;
const sessionDate = '2026-11-20' as PlainDate;
const latest = { day: toEpochDay(sessionDate), close: 110, volume: null };
const noon = Date.parse('2026-11-20T12:00:00-03:00');
const references = {
  previous: closeOn('2026-11-19', 100),
  monthBase: closeOn('2026-10-30', 88),
  yearBase: closeOn('2025-12-30', 55),
};

function makeEngine(): Engine {
  return new Engine(makeUniverse([{ ticker }]), { settleDelayMs: 900_000, nextVersion: 1 });
}

function adopt(engine: Engine, changed: ReferenceCloses): ChangeSet {
  const closesReturned = engine.closesReturned(ticker);
  return engine.adoptHistory([
    { ticker, closesReturned, latest, sessionDate, references: changed },
  ]);
}

test('a session has a pending close only while history does not have it', () => {
  const engine = makeEngine();
  assert.equal(engine.pendingClose(ticker), undefined);
  assert.equal(engine.pendingClose('NADA' as Ticker), undefined);
  adopt(engine, references);
  assert.equal(engine.pendingClose(ticker), undefined, 'it came from history');
  engine.apply([{ ticker, at: noon, last: 111 }], noon);
  assert.equal(engine.pendingClose(ticker)?.close.close, 111);
});

test('history of an instrument that is no longer in the universe is ignored', () => {
  const engine = makeEngine();
  const gone = 'VIST' as Ticker;
  assert.equal(engine.referenceSession(gone, latest), sessionDate);
  const facts = { ticker: gone, closesReturned: 0, latest, sessionDate, references };
  const { quotes, stored, stale } = engine.adoptHistory([facts]);
  assert.deepEqual([quotes, stored, stale], [[], [], []]);
});

test('facts of a session that has been replaced are stale, also when its close was in history already', () => {
  const engine = makeEngine();
  adopt(engine, references);
  const closesReturned = engine.closesReturned(ticker);
  const nextNoon = noon + 4 * 86_400_000;
  engine.apply([{ ticker, at: nextNoon, last: 121 }], nextNoon);
  assert.equal(engine.closesReturned(ticker), closesReturned);
  const facts = { ticker, closesReturned, latest, sessionDate, references: {} };
  assert.deepEqual(engine.adoptHistory([facts]).stale, [ticker]);
  assert.equal(engine.quotes()[0]?.previousClose, 110);
});

test('a change set stores each changed instrument once, and a close has only the fields of its session', () => {
  const engine = makeEngine();
  const updates = [111, 112].map((last) => ({ ticker, at: noon, last }));
  const { quotes, stored } = engine.apply(updates, noon);
  assert.deepEqual([quotes.length, stored.length], [1, 1]);
  const { day } = latest;
  const volume = 0;
  assert.deepEqual(engine.pendingClose(ticker), {
    ticker,
    close: { day, close: 112, volume, open: 111, high: 112, low: 111, source: 'session' },
  });
  const other = makeEngine();
  other.apply([{ ticker, at: noon, close: 112 }], noon);
  const bare = { ticker, close: { day, close: 112, volume: null, source: 'session' } };
  assert.deepEqual(other.pendingClose(ticker), bare);
});

test('the closes that were returned for history are counted for each instrument', () => {
  const engine = makeEngine();
  assert.equal(engine.closesReturned('NADA' as Ticker), 0);
  assert.equal(engine.closesReturned(ticker), 0);
  engine.apply([{ ticker, at: noon, last: 111 }], noon);
  engine.settle(noon + 86_400_000);
  assert.equal(engine.closesReturned(ticker), 1);
});

test('a quote that comes from history names no source', () => {
  const engine = makeEngine();
  const dayBefore = noon - 86_400_000;
  const source = { name: 'feed', delayMinutes: 20 };
  const [before] = engine.apply([{ ticker, at: dayBefore, last: 100 }], dayBefore, source).quotes;
  assert.deepEqual(before?.source, source);
  const [quote] = adopt(engine, references).quotes;
  assert.deepEqual([quote?.last, quote?.source], [110, undefined]);
});
