import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deferred } from '../../../test/support/wait.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { watchStore } from './store-watch.ts';

test('only the process that writes checks the store, and reports a damaged one', async () => {
  const logged: string[] = [];
  const note = (_details: object, message: string): void => void logged.push(message);
  const found = deferred<string>();
  let asked = 0;
  let checks = 0;
  let now = 0;
  await using _ = watchStore({
    // The node gets the claim at the second look.
    isMine: () => (asked += 1) > 1,
    check: async () => {
      checks += 1;
      throw new StoreFault('corrupt', 'a page is damaged');
    },
    clock: { now: () => now, monotonic: () => (now += 1) },
    onDamaged: ({ message }) => found.resolve(message),
    log: { debug: note, info: note, warn: note, error: note },
  });
  assert.equal(await found.promise, 'a page is damaged');
  assert.deepEqual([asked, checks], [2, 1]);
  await new Promise(setImmediate);
  assert.deepEqual(logged, []);
});
