import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restMs } from './ask-origin.ts';

test('without a limit, and while requests remain, the next one does not wait', () => {
  assert.equal(restMs(undefined), 0);
  assert.equal(restMs('"free";r=12;t=8'), 0);
  assert.equal(restMs('"free";r=3;t=8'), 0);
  assert.equal(restMs('nonsense'), 0);
});

test('when few requests remain, the next one waits until the plan is full again, at most a minute', () => {
  assert.equal(restMs('"free";r=2;t=8'), 8_000);
  assert.equal(restMs('"free"; r=0; t=3600'), 60_000);
  assert.equal(restMs('"free";r=0'), 1_000);
  assert.equal(restMs('"a";r=9;t=8, "b";r=1;t=20'), 20_000);
});
