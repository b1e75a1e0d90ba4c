import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DailyClose } from './daily-close.ts';
import { areInConflict, conflictOf, decideClose } from './offered-close.ts';
import type { EpochDay } from './plain-date.ts';
import type { Ticker } from './ticker.ts';

const day = 20_000 as EpochDay;
const ticker = 'GGAL' as Ticker;
const unknown: DailyClose = { day, close: 93.89, volume: 5, open: 90, high: 95, low: 89 };
const one: DailyClose = { ...unknown, source: 'one' };

test('the first close of a day is stored as it is offered', () => {
  for (const by of ['source', 'operator'] as const) {
    const { close, isConflict } = decideClose(undefined, one, by);
    assert.equal(close, one);
    assert.equal(isConflict, false);
  }
});

test('a source corrects its own close, which is no conflict', () => {
  const corrected = { ...one, close: 94, volume: 7 };
  assert.deepEqual(decideClose(one, corrected, 'source'), { close: corrected, isConflict: false });
  assert.equal(decideClose(one, { ...one, close: 93.889999 }, 'source').close, one);
});

test('a source corrects its own close by at most 5 %: an adjustment for a split is a conflict, and not stored', () => {
  const stored = { day, close: 100, volume: 5, source: 'one' };
  for (const close of [105, 95, 100.01]) {
    const offered = { ...stored, close };
    assert.deepEqual(decideClose(stored, offered, 'source'), { close: offered, isConflict: false });
  }
  for (const close of [105.01, 94.99, 10, 1000, -100]) {
    const { close: kept, isConflict } = decideClose(stored, { ...stored, close }, 'source');
    assert.equal(kept, stored, String(close));
    assert.equal(isConflict, true);
  }
  const spread = { ...stored, close: -20 };
  assert.equal(decideClose(spread, { ...spread, close: -21 }, 'source').close.close, -21);
  assert.equal(decideClose(spread, { ...spread, close: -22 }, 'source').close, spread);
  const again = { ...stored, close: 10 };
  assert.deepEqual(decideClose(stored, again, 'operator'), { close: again, isConflict: false });
});

test('a source never changes a close of another source, or of one that is not known', () => {
  for (const [stored, offered] of [
    [one, { ...one, source: 'two', close: 94 }],
    [unknown, { ...one, close: 94 }],
    [one, { ...unknown, close: 94 }],
    [unknown, { ...unknown, close: 94 }],
  ] as const) {
    const { close, isConflict } = decideClose(stored, offered, 'source');
    assert.equal(close, stored);
    assert.equal(isConflict, true);
  }
});

test('an equal close of another source changes nothing, and is no conflict', () => {
  const equal = { ...one, source: 'two' };
  for (const by of ['source', 'operator'] as const) {
    for (const offered of [equal, { ...equal, close: 93.889999 }]) {
      assert.equal(decideClose(one, offered, by).close, one);
      assert.equal(decideClose(one, offered, by).isConflict, false);
    }
  }
  const fuller = { day, close: 93.89, volume: 9, source: 'two' };
  assert.equal(decideClose(one, fuller, 'source').close, one, 'nor its volume');
});

test('an import replaces the close of every source, and the conflict is reported', () => {
  const offered: DailyClose = { day, close: 94, volume: null, source: 'import:x.csv' };
  for (const stored of [one, unknown]) {
    assert.deepEqual(decideClose(stored, offered, 'operator'), {
      close: { ...unknown, close: 94, source: 'import:x.csv' },
      isConflict: true,
    });
  }
  const again = decideClose(offered, { ...offered, close: 95 }, 'operator');
  assert.deepEqual(again, { close: { ...offered, close: 95 }, isConflict: false });
});

test('a conflict names both prices, and the sources that are known', () => {
  const offered = { day, close: 94, volume: null, source: 'two' };
  assert.equal(areInConflict(one, offered), true);
  assert.deepEqual(conflictOf(ticker, one, offered), {
    ticker,
    day,
    stored: 93.89,
    storedSource: 'one',
    offered: 94,
    offeredSource: 'two',
  });
  assert.deepEqual(conflictOf(ticker, unknown, { ...unknown, close: 94 }), {
    ticker,
    day,
    stored: 93.89,
    offered: 94,
  });
});
