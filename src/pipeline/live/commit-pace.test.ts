import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CommitPace } from './commit-pace.ts';

const pacing = { gapMs: 15, burst: 4 };

/** Runs commits that are wanted at these times, in milliseconds. Gives when each one starts. */
function startsOf(wantedAt: readonly number[]): readonly number[] {
  const pace = new CommitPace(pacing);
  let now = 0;
  return wantedAt.map((at) => {
    now = Math.max(now, at);
    now += pace.waitMs(now);
    pace.started(now);
    return now;
  });
}

const steady = Array.from({ length: 100 }, (_, at) => at * 15);

for (const [name, wanted, starts] of [
  ['commits after an idle time start at once', [1_000, 2_000, 2_500, 2_700]],
  ['a few commits in a row start at once', [100, 101, 102, 103]],
  ['commits that are wanted as often as the gap permits never wait', steady],
  [
    'commits that are wanted all the time have the gap between them',
    Array<number>(8).fill(100),
    [100, 100, 100, 100, 115, 130, 145, 160],
  ],
  [
    'an idle time does not save up more than one burst',
    [0, 0, 0, 0, 0, ...Array<number>(6).fill(60_000)],
    [0, 0, 0, 0, 15, 60_000, 60_000, 60_000, 60_000, 60_015, 60_030],
  ],
] as const) {
  test(name, () => {
    assert.deepEqual(startsOf(wanted), starts ?? wanted);
  });
}
