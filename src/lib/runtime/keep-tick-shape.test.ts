import assert from 'node:assert/strict';
import { executionAsyncResource } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { keepTickShape } from './keep-tick-shape.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What Node makes for the first call of `process.nextTick` in `work`. Nothing here holds it. */
async function tickOf(work: () => void): Promise<WeakRef<object>> {
  const nextTick = process.nextTick.bind(process);
  const made: WeakRef<object>[] = [];
  process.nextTick = (callback: () => void) => {
    process.nextTick = nextTick;
    nextTick(() => {
      callback();
      made.push(new WeakRef(executionAsyncResource()));
    });
  };
  work();
  await nextTurn();
  const [tick] = made;
  assert.ok(tick !== undefined, 'process.nextTick was called');
  return tick;
}

test('one object of process.nextTick outlives every collection of garbage, and others do not', async () => {
  const other = await tickOf(() => process.nextTick(() => undefined));
  const kept = await tickOf(keepTickShape);
  const later = await tickOf(keepTickShape);
  for (let round = 0; round < 3; round += 1) {
    await nextTurn();
    collectGarbage();
  }
  assert.equal(other.deref(), undefined);
  assert.equal(later.deref(), undefined);
  assert.ok('callback' in (kept.deref() ?? {}), 'it is the object of the call');
});
