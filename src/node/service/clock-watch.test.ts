import assert from 'node:assert/strict';
import { test } from 'node:test';

import { watchClock } from './watch-all.ts';

const hourMs = 3_600_000;

/** A wall clock and a monotonic clock that the test sets. */
function makeClocks() {
  const time = { wall: Date.parse('2026-11-20T14:00:00-03:00'), passed: 0 };
  const jumps: number[] = [];
  const clock = { now: () => time.wall, monotonic: () => time.passed };
  const look = watchClock(clock, (ms) => jumps.push(ms));
  const pass = (ms: number): void => {
    time.wall += ms;
    time.passed += ms;
    look();
  };
  return { time, jumps, pass };
}

test('a clock that advances with time has not jumped, at any interval between checks', () => {
  const { jumps, pass } = makeClocks();
  for (const ms of [1_000, 5, 24 * hourMs]) pass(ms);
  assert.deepEqual(jumps, []);
});

test('a clock that is corrected in small steps has not jumped', () => {
  const { time, jumps, pass } = makeClocks();
  for (const step of [500, -900, 1_500]) {
    time.wall += step;
    pass(1_000);
  }
  assert.deepEqual(jumps, []);
});

test('a jump of an hour back and of a day forward are each reported once, with their size', () => {
  const { time, jumps, pass } = makeClocks();
  time.wall -= hourMs;
  pass(1_000);
  pass(1_000);
  time.wall += 24 * hourMs;
  pass(1_000);
  pass(1_000);
  assert.deepEqual(jumps, [-hourMs, 24 * hourMs]);
});
