import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Follower } from './follower.ts';

/** A follower that is connected and has made its first pull at 10. */
function ready(): Follower {
  const follower = new Follower(() => 1);
  assert.equal(follower.step(0), 'connect');
  follower.connected(10);
  assert.equal(follower.step(10), 'pull');
  assert.equal(follower.isReady, false);
  assert.equal(follower.pulled(10, 5, 12), true);
  return follower;
}

test('a follower is ready after its first pull, which it makes as soon as it is connected', () => {
  const follower = ready();
  assert.equal(follower.isReady, true);
  assert.equal(follower.position, 5);
});

test('without a hint it pulls every second, counted from when the pull was sent', () => {
  const follower = ready();
  assert.equal(follower.wakeAt, 1_010);
  assert.equal(follower.step(1_009), 'wait');
  assert.equal(follower.step(1_010), 'pull');
});

test('a hint makes it pull at once', () => {
  const follower = ready();
  follower.hinted(300);
  assert.equal(follower.step(300), 'pull');
});

test('at most one pull is under way, and hints during a pull lead to one more', () => {
  const follower = ready();
  follower.hinted(300);
  assert.equal(follower.step(300), 'pull');
  follower.hinted(301);
  follower.hinted(302);
  assert.equal(follower.step(303), 'wait');
  assert.equal(follower.pulled(300, undefined, 304), true);
  assert.equal(follower.step(304), 'pull');
  assert.equal(follower.pulled(304, undefined, 305), true);
  assert.equal(follower.step(305), 'wait');
});

test('the position never decreases', () => {
  const follower = ready();
  follower.step(1_010);
  assert.equal(follower.pulled(1_010, 3, 1_012), true);
  assert.equal(follower.position, 5);
});

test('a pull without a response within a second means that the connection is dead', () => {
  const follower = ready();
  assert.equal(follower.step(1_010), 'pull');
  assert.equal(follower.step(2_009), 'wait');
  assert.equal(follower.step(2_010), 'drop');
  assert.equal(follower.step(2_109), 'wait');
  assert.equal(follower.step(2_110), 'connect');
});

test('the response to a pull that was given up is not adopted', () => {
  const follower = ready();
  follower.step(1_010);
  assert.equal(follower.step(2_010), 'drop');
  assert.equal(follower.pulled(1_010, 9, 2_020), false);
  follower.step(2_110);
  follower.connected(2_120);
  assert.equal(follower.step(2_120), 'pull');
  assert.equal(follower.pulled(1_010, 9, 2_130), false);
  assert.equal(follower.position, 5);
  assert.equal(follower.pulled(2_120, 11, 2_140), true);
});

test('a connection attempt without a response is given up as well', () => {
  const follower = new Follower(() => 1);
  assert.equal(follower.step(0), 'connect');
  assert.equal(follower.step(1_000), 'drop');
  follower.connected(1_001);
  assert.equal(follower.step(1_099), 'wait');
  assert.equal(follower.step(1_100), 'connect');
});

test('the pause before it reconnects grows with each failure, until a pull succeeds', () => {
  const follower = ready();
  const pauses = [];
  let now = 100;
  while (pauses.length < 6) {
    follower.failed(now);
    pauses.push(follower.wakeAt - now);
    now = follower.wakeAt;
    assert.equal(follower.step(now), 'connect');
  }
  assert.deepEqual(pauses, [100, 200, 400, 800, 1_600, 2_000]);
  follower.connected(now);
  follower.step(now);
  follower.pulled(now, undefined, now);
  follower.failed(now);
  assert.equal(follower.wakeAt - now, 100);
});

test('a hint cuts the pause after a failure short, because the database can be reached', () => {
  const follower = ready();
  for (let failure = 0; failure < 6; failure += 1) follower.failed(2_000);
  assert.equal(follower.wakeAt, 4_000);
  follower.hinted(2_010);
  assert.equal(follower.wakeAt, 2_100);
  follower.hinted(2_500);
  assert.equal(follower.wakeAt, 2_100);
});

test('a request that fails after a hint is repeated soon', () => {
  const follower = ready();
  for (let failure = 0; failure < 6; failure += 1) follower.failed(2_000);
  assert.equal(follower.step(4_000), 'connect');
  follower.connected(4_001);
  assert.equal(follower.step(4_001), 'pull');
  follower.hinted(4_500);
  follower.failed(5_000);
  assert.equal(follower.wakeAt, 5_100);
});

test('the age of the data counts from when the last successful pull was sent', () => {
  const follower = new Follower(() => 1);
  assert.equal(follower.ageMs(5), Infinity);
  assert.equal(ready().ageMs(510), 500);
  const broken = ready();
  broken.failed(600);
  assert.equal(broken.ageMs(10_010), 10_000);
});
