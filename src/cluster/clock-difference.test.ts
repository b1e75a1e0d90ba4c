import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ClockDifference, clockMsMax } from './clock-difference.ts';

/** A reading of a node whose clock is ahead by `aheadMs`, when the request takes `there` and the response `back`. */
function reading(aheadMs: number, there = 0, back = 0) {
  return { databaseMs: there, ownMs: there + back + aheadMs, tripMs: there + back };
}

test('a clock that is late or early by more than the limit is off, and one within it is not', () => {
  for (const sign of [-1, 1]) {
    const difference = new ClockDifference();
    assert.equal(difference.ms, undefined);
    difference.read(reading(sign * clockMsMax));
    assert.equal(difference.isOff, false);
    difference.read(reading(sign * (clockMsMax + 1)));
    assert.equal(difference.isOff, true);
    assert.equal(difference.ms, sign * (clockMsMax + 1));
    difference.read(reading(sign * clockMsMax));
    assert.equal(difference.isOff, false);
  }
});

test('a slow network is not taken for a wrong clock, whichever direction is slow', () => {
  for (const [there, back] of [
    [9_000, 0],
    [0, 9_000],
    [4_500, 4_500],
  ] as const) {
    const difference = new ClockDifference();
    difference.read(reading(0, there, back));
    assert.equal(difference.isOff, false, `${there} ms there, ${back} ms back`);
  }
});

test('a slow network does not hide a clock that was found wrong', () => {
  const difference = new ClockDifference();
  difference.read(reading(-3_600_000));
  difference.read(reading(-3_600_000, 0, 7_300_000));
  assert.equal(difference.isOff, true);
  difference.read(reading(0, 10, 10));
  assert.equal(difference.isOff, false);
});
