import assert from 'node:assert/strict';
import { test } from 'node:test';

import { until } from '../../../test/support/wait.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { HolderWatch } from './holder-watch.ts';

test('the holder is what the database says, and nobody once the database has not said so for a while', async () => {
  const state = { now: 0, isDown: false };
  const place = {
    holder: () =>
      state.isDown
        ? Promise.reject(new StoreFault('unavailable', 'down'))
        : Promise.resolve({ id: 'one', name: 'machine 1' }),
  };
  await using watch = new HolderWatch(place, { monotonic: () => state.now });
  await until('known', () => watch.isKnown);
  assert.equal(watch.holder?.id, 'one');
  state.isDown = true;
  state.now += 5_000;
  assert.equal(watch.holder?.id, 'one');
  state.now += 1;
  assert.deepEqual([watch.isKnown, watch.holder], [false, undefined]);
});
