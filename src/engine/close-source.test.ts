import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import { Engine } from './engine.ts';

const ggal = 'GGAL' as Ticker;
const friday = Date.parse('2026-11-20T12:00:00-03:00');
const minuteMs = 60_000;
const settleDelayMs = 15 * minuteMs;

/** The last instant at which the session of Friday may change, and the first of the next session. */
const settledAt = Date.parse('2026-11-20T17:15:00-03:00');

function makeEngine(): Engine {
  return new Engine(makeUniverse([{ ticker: ggal }]), { settleDelayMs, nextVersion: 1 });
}

const one = { name: 'one', delayMinutes: 0 };

const two = { name: 'two', delayMinutes: 20 };

test('the close of a session names the source that was in use at its end', () => {
  const engine = makeEngine();
  engine.apply([{ ticker: ggal, at: friday, last: 1 }], friday, one);
  engine.apply([{ ticker: ggal, at: friday + minuteMs, last: 2 }], friday, two);
  assert.equal(engine.pendingClose(ggal)?.close.source, 'session:two');
  const { closes } = engine.settle(settledAt);
  assert.deepEqual(
    closes.map(({ close }) => close.source),
    ['session:two'],
  );
});

test('the source of a session is known after a restart, unless an older version stored the quote', () => {
  const before = makeEngine();
  const { stored } = before.apply([{ ticker: ggal, at: friday, last: 1 }], friday, one);
  const engine = makeEngine();
  engine.restore(stored);
  assert.equal(engine.pendingClose(ggal)?.close.source, 'session:one');
  const older = makeEngine();
  older.restore(stored.map((quote) => ({ ...quote, source: undefined })));
  assert.equal(older.pendingClose(ggal)?.close.source, 'session');
});
