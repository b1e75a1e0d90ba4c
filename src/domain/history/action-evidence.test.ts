import assert from 'node:assert/strict';
import { test } from 'node:test';

import { doubtsAbout, hasUnits, moveAt, usualFactor } from './action-evidence.ts';
import type { CorporateAction } from './corporate-action.ts';
import { instrumentKinds, type InstrumentKind } from '../instruments/instrument.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';

function split(exDay: number, factor: number): CorporateAction {
  const base = { ticker: 'YPFD' as Ticker, exDay: exDay as EpochDay, source: 'x' };
  return { ...base, type: 'split', factor };
}

/** Closes of days from 0 on. Undefined is a day without one. */
function closes(...values: readonly (number | undefined)[]) {
  return values.flatMap((close, day) =>
    close === undefined ? [] : [{ day: day as EpochDay, close }],
  );
}

function doubts(rows: ReturnType<typeof closes>, ...actions: readonly CorporateAction[]) {
  return [...doubtsAbout(rows, actions)].map(({ type, day, factor }) => [type, day, factor]);
}

test('shares, CEDEARs, ADRs and ETFs can split, and other kinds cannot', () => {
  const kinds = Object.keys(instrumentKinds) as InstrumentKind[];
  assert.deepEqual(kinds.filter(hasUnits), ['share', 'cedear', 'adr', 'etf']);
});

test('a move by each usual number of units gives that factor, in both directions', () => {
  for (const factor of [1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100]) {
    assert.equal(usualFactor(factor * 7, 7), factor);
    assert.equal(usualFactor(7, factor * 7), 1 / factor);
  }
});

test('the move may deviate from the factor: by 4 % for 1.5 and 2, by 8 % for more', () => {
  for (const [factor, tolerance] of [
    [1.5, 0.04],
    [2, 0.04],
    [3, 0.08],
    [100, 0.08],
  ] as const) {
    for (const sign of [1, -1]) {
      const within = factor * (1 + sign * (tolerance - 0.0001));
      const outside = factor * (1 + sign * (tolerance + 0.0001));
      assert.equal(usualFactor(within, 1), factor, `${within}`);
      assert.equal(usualFactor(1, within), 1 / factor, `${within}`);
      assert.equal(usualFactor(outside, 1), undefined, `${outside}`);
    }
  }
  assert.equal(usualFactor(6.46, 1), 6, 'the nearer of two');
  assert.equal(usualFactor(6.47, 1), 7, 'the nearer of two');
  assert.equal(usualFactor(100, 100), undefined);
  assert.equal(usualFactor(100, 62), undefined, 'the fall of 2019-08-12 is none');
});

test('values that are not above zero are no move by a factor', () => {
  for (const [previous, close] of [
    [0, 5],
    [5, 0],
    [-10, -1],
    [-1, 10],
    [10, -1],
  ] as const) {
    assert.equal(usualFactor(previous, close), undefined);
  }
});

test('a close that stays at a part of the one before looks like an action that is not recorded', () => {
  const [doubt, ...more] = doubtsAbout(closes(45_000, 45_120, 4_512, 4_600), []);
  assert.deepEqual(doubt, {
    type: 'unrecorded',
    day: 2,
    close: 4_512,
    previousDay: 1,
    previousClose: 45_120,
    factor: 10,
  });
  assert.deepEqual(more, []);
  assert.deepEqual(doubts(closes(10, 100)), [['unrecorded', 1, 0.1]]);
});

test('a price that is back on its level at the next close is a mistake, not an action', () => {
  assert.deepEqual(doubts(closes(100, 10, 100)), []);
  assert.deepEqual(doubts(closes(100, 10, 13)), [['unrecorded', 1, 10]]);
  assert.deepEqual(doubts(closes(100, 10, 13.01)), []);
  assert.deepEqual(doubts(closes(100, 11, 10)), []);
  assert.deepEqual(doubts(closes(77, 100, 10)), [['unrecorded', 2, 10]]);
  assert.deepEqual(doubts(closes(76.9, 100, 10)), []);
  assert.deepEqual(doubts(closes(100, 10.4, 8)), [['unrecorded', 1, 10]]);
  assert.deepEqual(doubts(closes(100, 10.4, 7.99)), []);
});

/** Closes that change their level on each of four days. */
function spikesOn(...days: readonly number[]) {
  return [100, 1_000, 100, 1_000].map((close, at) => ({ day: days[at] as EpochDay, close }));
}

/** A fall to a tenth over so many days. */
function fallAfter(days: number) {
  return [
    { day: 0 as EpochDay, close: 100 },
    { day: days as EpochDay, close: 10 },
  ];
}

test('a neighbour more than 45 days away does not show the level of a close', () => {
  assert.deepEqual(doubts(spikesOn(0, 46, 47, 93)), [['unrecorded', 47, 10]]);
  assert.deepEqual(doubts(spikesOn(0, 46, 47, 92)), []);
  assert.deepEqual(doubts(spikesOn(1, 46, 47, 93)), []);
});

test('closes more than 45 days apart are no evidence', () => {
  assert.deepEqual(doubts(fallAfter(45)), [['unrecorded', 45, 10]]);
  assert.deepEqual(doubts(fallAfter(46)), []);
  assert.deepEqual(doubts(fallAfter(45), split(3, 0.1)), [['contradicted', 45, 0.1]]);
  assert.deepEqual(doubts(fallAfter(46), split(3, 0.1)), []);
});

test('a recorded action explains the move, whatever the exact price', () => {
  assert.deepEqual(doubts(closes(1_000, 101, 102), split(1, 10)), []);
  assert.deepEqual(doubts(closes(1_000, undefined, 101), split(1, 10)), []);
  assert.deepEqual(doubts(closes(1_000, 60, 61), split(1, 10)), []);
  assert.deepEqual(doubts(closes(1_000, 101, 102), split(2, 10)), [
    ['unrecorded', 1, 10],
    ['contradicted', 2, 10],
  ]);
});

test('a recorded action is contradicted by a price that is closer to the one before than to the one after', () => {
  assert.deepEqual(doubts(closes(100, 100), split(1, 4)), [['contradicted', 1, 4]]);
  assert.deepEqual(doubts(closes(100, 50.1), split(1, 4)), [['contradicted', 1, 4]]);
  assert.deepEqual(doubts(closes(100, 49.9), split(1, 4)), []);
  assert.deepEqual(doubts(closes(100, 199), split(1, 0.25)), [['contradicted', 1, 0.25]]);
  assert.deepEqual(doubts(closes(100, 201), split(1, 0.25)), []);
});

test('an action with a factor below 1.25 is not judged: the usual changes of a price hide it', () => {
  assert.deepEqual(doubts(closes(100, 100), split(1, 1.24)), []);
  assert.deepEqual(doubts(closes(100, 100), split(1, 1.26)), [['contradicted', 1, 1.26]]);
  assert.deepEqual(doubts(closes(100, 100), split(1, 1.25)), [['contradicted', 1, 1.25]]);
  assert.deepEqual(doubts(closes(100, 100), split(1, 0.81)), []);
  assert.deepEqual(doubts(closes(100, 100), split(1, 0.79)), [['contradicted', 1, 0.79]]);
});

test('closes that are not above zero contradict no action', () => {
  assert.deepEqual(doubts(closes(0, 100), split(1, 4)), []);
  assert.deepEqual(doubts(closes(100, 0), split(1, 4)), []);
});

/** How closes, as pairs of day and close, move with an action of day 10. */
function moveOf(days: readonly (readonly [number, number])[], factor: number) {
  return moveAt(
    days.map(([day, close]) => ({ day: day as EpochDay, close })),
    { exDay: 10 as EpochDay, factor },
  );
}

test('closes move with an action, stay, or do not show it', () => {
  const after = [11, 100] as const;
  assert.equal(moveOf([[8, 400], after, [12, 25]], 4), 'moved');
  assert.equal(moveOf([[8, 101], after], 4), 'stayed');
  assert.equal(moveOf([[8, 105], after], 1.05), 'unclear');
  assert.equal(moveOf([after, [12, 25]], 4), 'unclear');
  assert.equal(moveOf([[8, 400]], 4), 'unclear');
  assert.equal(moveOf([], 4), 'unclear');
  assert.equal(moveOf([[-60, 400], after], 4), 'unclear');
});
