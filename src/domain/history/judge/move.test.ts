import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { InstrumentKind } from '../../instruments/instrument.ts';
import {
  agree,
  isBeyondBound,
  isBeyondSessionBound,
  isOfOtherUnit,
  isOtherLevel,
  nameMove,
} from './move.ts';

test('prices agree within 10 % of each other, and those of zero or below never do', () => {
  assert.equal(agree(100, 105, 110), true);
  assert.equal(agree(110.01, 100, 105), false);
  assert.equal(agree(0.5, 0.52), true);
  assert.equal(agree(0, 0), false);
  assert.equal(agree(-1, -1), false);
});

test('a price is beyond its bound in both directions, and what may be zero or negative has none', () => {
  for (const [kind, a, b, isBeyond] of [
    ['share', 100, 400, false],
    ['share', 400, 100, false],
    ['share', 100, 401, true],
    ['share', 401, 100, true],
    ['share', 0, 1, false],
    ['share', 1, 0, false],
    ['share', -1, 1, false],
    ['spread', 1, 1_000, false],
  ] as const satisfies readonly (readonly [InstrumentKind, number, number, boolean])[]) {
    for (const isOver of [isBeyondBound, isBeyondSessionBound]) {
      assert.equal(isOver(kind, a, b), isBeyond, `${kind} ${a} ${b}`);
    }
  }
});

test('two sources of a price agree, and those of another value are as close as it moves', () => {
  for (const [kind, value, isOther] of [
    ['share', 110, false],
    ['share', 111, true],
    ['interest-rate', 111, false],
    ['interest-rate', 5_001, true],
    ['spread', 5_001, false],
  ] as const) {
    assert.equal(isOtherLevel(kind, 100, value), isOther, `${kind} ${value}`);
  }
});

test('a side of the book more than 50 times the last price, or less than a 50th of it, is in another unit', () => {
  for (const [side, isOther] of [
    [5_000, false],
    [5_001, true],
    [2, false],
    [1.99, true],
  ] as const) {
    assert.equal(isOfOtherUnit(side, 100), isOther, String(side));
  }
});

test('a move by ten is a split if it lasts and the kind has units, else a slip, and one of values around zero a jump', () => {
  for (const [kind, from, to, single, lasting] of [
    ['share', 100, 10, 'decimal-slip', 'unrecorded-split'],
    ['share', 1, 10, 'decimal-slip', 'unrecorded-split'],
    ['share', 100, 50, 'unrecorded-split', 'unrecorded-split'],
    ['index', 100, 10, 'decimal-slip', 'decimal-slip'],
    ['index', 100, 350, 'jump', 'jump'],
    ['share', 100, 110, undefined, undefined],
    ['spread', -3, 50, 'jump', 'jump'],
    ['spread', 3, -50, 'jump', 'jump'],
    ['spread', 10, -1, undefined, undefined],
    ['spread', 100, 0, undefined, undefined],
    ['spread', 0, 50, undefined, undefined],
    ['spread', 0, 0, undefined, undefined],
  ] as const) {
    const names = [false, true].map((isLasting) => nameMove(kind, { from, to, isLasting }));
    assert.deepEqual(names, [single, lasting], `${kind} ${from} ${to}`);
  }
});
