import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CommitPace } from './commit-pace.ts';

const pacing = { gapMs: 15, burst: 4 };

/** Runs commits that are wanted at these times, in milliseconds. Gives when each one starts. */
function startsOf(wantedAt: readonly number[], pace = new CommitPace(pacing)): readonly number[] {
  let now = 0;
  return wantedAt.map((at) => {
    now = Math.max(now, at);
    now += pace.waitMs(now);
    pace.started(now);
    return now;
  });
}

test('a commit after an idle time starts at once', () => {
  const idle = [1_000, 2_000, 2_500, 2_700];
  assert.deepEqual(startsOf(idle), idle);
});

test('a few commits in a row start at once', () => {
  const few = [100, 101, 102, 103];
  assert.deepEqual(startsOf(few), few);
});

test('commits that are wanted all the time have the gap between them', () => {
  const starts = startsOf(Array.from({ length: 8 }, () => 100));
  assert.deepEqual(starts, [100, 100, 100, 100, 115, 130, 145, 160]);
});

test('commits that are wanted less often than the gap permits never wait', () => {
  const steady = Array.from({ length: 100 }, (_, at) => at * 15);
  assert.deepEqual(startsOf(steady), steady);
});

test('an idle time does not save up more than one burst', () => {
  const pace = new CommitPace(pacing);
  startsOf([0, 0, 0, 0, 0], pace);
  const starts = startsOf([60_000, 60_000, 60_000, 60_000, 60_000, 60_000], pace);
  assert.deepEqual(starts, [60_000, 60_000, 60_000, 60_000, 60_015, 60_030]);
});
