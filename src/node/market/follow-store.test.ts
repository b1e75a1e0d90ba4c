import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { revisionSubjects, type StoreHint } from '../../store/contract/store.ts';
import { followChanges } from './follow-store.ts';

test('a hint at anything but quotes and keys is followed at once, until the follower is disposed', async () => {
  const listeners = new Set<(what: StoreHint) => void>();
  const hints = {
    subscribe: (onHint: (what: StoreHint) => void) => {
      listeners.add(onHint);
      return { [Symbol.dispose]: () => void listeners.delete(onHint) };
    },
  };
  let calls = 0;
  {
    await using _ = followChanges(
      async () => {
        calls += 1;
      },
      { hints, onFault: () => assert.fail() },
    );
    for (const what of revisionSubjects.filter((one) => one !== 'keys')) {
      const before = calls;
      for (const onHint of listeners) onHint(what);
      // The next poll is 250 ms away, so nothing else calls within a few turns.
      for (let turns = 0; turns < 5; turns += 1) await nextTurn();
      assert.ok(calls > before, what);
    }
  }
  assert.equal(listeners.size, 0);
});
