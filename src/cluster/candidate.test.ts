import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Candidate } from './candidate.ts';
import type { ClaimTiming } from './timing.ts';

const timing: ClaimTiming = {
  leaseMs: 3_000,
  marginMs: 250,
  renewEveryMs: 1_000,
  requestLimitMs: 1_000,
  tryEveryMs: 1_000,
  retryFirstMs: 100,
  retryMaxMs: 500,
};

/** A candidate whose first try is under way since `now`. */
function claimingAt(now: number): Candidate {
  const candidate = new Candidate(() => 1, timing);
  assert.equal(candidate.step(now), 'claim');
  return candidate;
}

test('a candidate tries at once, with one try under way', () => {
  const candidate = claimingAt(0);
  assert.equal(candidate.state, 'claiming');
  assert.equal(candidate.step(1), 'wait');
});

test('a stand-by tries again when the lease of the holder ends', () => {
  const candidate = claimingAt(0);
  candidate.refused(0, 400, 5);
  assert.equal(candidate.wakeAt, 405);
  assert.equal(candidate.step(404), 'wait');
  assert.equal(candidate.step(405), 'claim');
});

test('a stand-by tries at least every second, also when the lease is long', () => {
  const candidate = claimingAt(0);
  candidate.refused(0, 2_900, 5);
  assert.equal(candidate.wakeAt, 1_005);
});

test('a refusal with a lease that has ended meanwhile does not lead to a busy loop', () => {
  const candidate = claimingAt(0);
  candidate.refused(0, -20, 5);
  assert.equal(candidate.wakeAt, 6);
});

test('a released claim is tried at once', () => {
  const candidate = claimingAt(0);
  candidate.refused(0, 2_900, 5);
  candidate.released(300);
  assert.equal(candidate.step(300), 'claim');
});

test('a claim that is released while a try is under way is tried once more', () => {
  const candidate = claimingAt(0);
  candidate.released(3);
  candidate.refused(0, 2_900, 5);
  assert.equal(candidate.step(5), 'claim');
  candidate.refused(5, 2_900, 9);
  assert.equal(candidate.step(10), 'wait');
});

test('the pause after failed tries grows up to its maximum', () => {
  const candidate = claimingAt(0);
  const pauses = [];
  for (let now = 0; pauses.length < 5;) {
    candidate.failed(now, now);
    pauses.push(candidate.wakeAt - now);
    now = candidate.wakeAt;
    assert.equal(candidate.step(now), 'claim');
  }
  assert.deepEqual(pauses, [100, 200, 400, 500, 500]);
});

test('a try without a response is given up after its limit, and its late grant is not used', () => {
  const candidate = claimingAt(0);
  assert.equal(candidate.wakeAt, 1_000);
  assert.equal(candidate.step(1_000), 'abandon');
  assert.equal(candidate.step(1_100), 'claim');
  assert.equal(candidate.granted(0, 4), undefined);
  assert.equal(candidate.granted(1_100, 5)?.token, 5);
});

test('the lease of a grant starts when the try was sent', () => {
  const lease = claimingAt(100).granted(100, 4);
  assert.equal(lease?.mayWrite(2_849), true);
  assert.equal(lease?.mayWrite(2_850), false);
});

test('a holder does not try; after a loss it stands by and tries at once', () => {
  const candidate = claimingAt(0);
  candidate.granted(0, 4);
  assert.equal(candidate.wakeAt, Infinity);
  candidate.released(10);
  assert.equal(candidate.step(5_000), 'wait');
  candidate.standBy(5_000);
  assert.equal(candidate.step(5_000), 'claim');
});
