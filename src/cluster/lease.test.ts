import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Lease } from './lease.ts';
import { claimTiming, type ClaimTiming } from './timing.ts';

const timing: ClaimTiming = {
  leaseMs: 3_000,
  marginMs: 250,
  renewEveryMs: 1_000,
  requestLimitMs: 1_000,
  tryEveryMs: 1_000,
  retryFirstMs: 100,
  retryMaxMs: 500,
};

/** A lease whose request was sent at 1,000: it may write until 1,000 + 3,000 − 250. */
const leaseOf = (): Lease => new Lease({ token: 7, sentAt: 1_000 }, timing);

test('with the times of the service, a renewal that is lost can be repeated before the lease ends', () => {
  const { leaseMs, marginMs, renewEveryMs, requestLimitMs } = claimTiming;
  assert.ok(renewEveryMs + requestLimitMs + 500 < leaseMs - marginMs);
});

test('the lease is counted from before the request was sent, and ends by a margin too early', () => {
  const lease = leaseOf();
  assert.equal(lease.mayWrite(3_749), true);
  assert.equal(lease.mayWrite(3_750), false);
  assert.equal(lease.lostBy, 'expired');
});

test('a lease that has ended stays lost, even when a renewal succeeds later', () => {
  const lease = leaseOf();
  assert.equal(lease.step(3_750), 'stop');
  lease.renewed(3_700);
  assert.equal(lease.mayWrite(3_751), false);
  assert.equal(lease.wakeAt, Infinity);
});

test('the lease is renewed every second, with one renewal under way', () => {
  const lease = leaseOf();
  assert.equal(lease.wakeAt, 2_000);
  assert.equal(lease.step(1_999), 'wait');
  assert.equal(lease.step(2_000), 'renew');
  assert.equal(lease.step(2_001), 'wait');
  lease.renewed(2_000);
  assert.equal(lease.wakeAt, 3_000);
  assert.equal(lease.mayWrite(4_749), true);
  assert.equal(lease.mayWrite(4_750), false);
});

test('a renewal without a response is given up after its limit and sent again', () => {
  const lease = leaseOf();
  assert.equal(lease.step(2_000), 'renew');
  assert.equal(lease.wakeAt, 3_000);
  assert.equal(lease.step(3_000), 'abandon');
  assert.equal(lease.step(3_000), 'renew');
  // The late response to the first renewal extends the lease, but the second is still under way.
  lease.renewed(2_000);
  assert.equal(lease.step(3_001), 'wait');
  lease.renewed(3_000);
  assert.equal(lease.wakeAt, 4_000);
});

test('a renewal that failed is repeated soon, and does not extend the lease', () => {
  const lease = leaseOf();
  assert.equal(lease.step(2_000), 'renew');
  lease.renewalFailed(2_000, 2_050);
  assert.equal(lease.wakeAt, 2_150);
  assert.equal(lease.step(2_150), 'renew');
  assert.equal(lease.mayWrite(3_750), false);
});

test('late news of a failed renewal does not disturb the one under way', () => {
  const lease = leaseOf();
  assert.equal(lease.step(2_000), 'renew');
  assert.equal(lease.step(3_000), 'abandon');
  assert.equal(lease.step(3_000), 'renew');
  lease.renewalFailed(2_000, 3_050);
  assert.equal(lease.step(3_200), 'wait');
});

test('a fenced holder stops at once, and reports the first reason', () => {
  const lease = leaseOf();
  lease.fenced();
  assert.equal(lease.step(1_100), 'stop');
  assert.equal(lease.mayWrite(9_000), false);
  assert.equal(lease.lostBy, 'fenced');
});
