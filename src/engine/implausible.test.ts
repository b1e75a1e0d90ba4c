import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apply, at, latest, update } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { Engine } from './engine.ts';

const options = { settleDelayMs: 15 * 60_000, nextVersion: 1 };
const universe = makeUniverse([
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'MEP-CCL', kind: 'spread' },
]);
const refused = { refused: 'implausible' };

function outcome(engine: Engine, date: string, time: string, fields: object): unknown {
  return apply(engine, update('AL30', at(date, time), fields)).outcome;
}

/** An engine with a session of Thursday. */
function withClose(last: number): Engine {
  const engine = new Engine(universe, options);
  apply(engine, update('AL30', at('2026-11-19', '16:59'), { last }));
  return engine;
}

test('a price a hundred times too large or too small becomes neither a quote nor a close, at the open and later', () => {
  const engine = withClose(900);
  const before = latest(engine, 'AL30');
  for (const last of [90_000, 9]) {
    assert.deepEqual(outcome(engine, '2026-11-20', '10:31', { last }), refused);
  }
  assert.equal(latest(engine, 'AL30'), before);
  assert.equal(outcome(engine, '2026-11-20', '10:32', { last: 910 }), 'accepted');
  for (const last of [92_000, 9]) {
    assert.equal(outcome(engine, '2026-11-20', '10:33', { last }), 'held');
  }
  const cut = { refused: 'implausible', part: 'range' };
  assert.deepEqual(outcome(engine, '2026-11-20', '10:34', { last: 920, high: 92_000 }), cut);
  assert.equal(latest(engine, 'AL30')?.last, 920, 'the high does not decide about the last price');
  assert.equal(outcome(engine, '2026-11-20', '18:00', { close: 92_000 }), 'held');
  const [close] = engine.settle(at('2026-11-20', '18:15')).closes.slice(-1);
  assert.deepEqual(
    [close?.close.close, close?.close.open, close?.close.high, close?.close.low],
    [920, 910, 920, 910],
  );
});

test('a first price that is wrong does not have the right ones of its session refused', () => {
  const engine = new Engine(universe, options);
  assert.equal(outcome(engine, '2026-11-20', '10:31', { last: 90_000 }), 'accepted');
  assert.equal(outcome(engine, '2026-11-20', '10:32', { last: 900 }), 'held');
  assert.equal(latest(engine, 'AL30')?.last, 90_000);
  for (const [time, last] of [
    ['10:32', 901],
    ['10:33', 902],
    ['10:33', 903],
  ] as const) {
    assert.equal(outcome(engine, '2026-11-20', time, { last }), 'held');
  }
  assert.equal(outcome(engine, '2026-11-20', '10:34', { last: 905 }), 'accepted');
  assert.equal(latest(engine, 'AL30')?.last, 905);
});

test('a close of more than 45 days before is no base', () => {
  assert.equal(outcome(withClose(900), '2027-01-04', '12:00', { last: 90_000 }), 'accepted');
});
