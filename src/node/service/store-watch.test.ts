import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deferred } from '../../../test/support/wait.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { watchStore } from './watch-all.ts';

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
    pauseMs: 0,
  });
  assert.equal(await found.promise, 'a page is damaged');
  assert.deepEqual([asked, checks], [2, 1]);
  await new Promise(setImmediate);
  assert.deepEqual(logged, []);
});

test('a check that could not be made is repeated after five minutes, and then once a day', async () => {
  const minute = 60_000;
  const checkedAt: number[] = [];
  const warnings: string[] = [];
  const enough = deferred<void>();
  let now = 0;
  await using _ = watchStore({
    isMine: () => true,
    check: async () => {
      checkedAt.push(Math.floor(now / minute));
      if (checkedAt.length === 1) throw new StoreFault('unavailable', 'too many connections');
      if (checkedAt.length === 3) enough.resolve();
    },
    clock: { now: () => now, monotonic: () => (now += 4 * minute) },
    onDamaged: () => assert.fail('it is not damaged'),
    log: { ...silentLog, warn: (_details, message) => void warnings.push(message) },
    pauseMs: 0,
  });
  await enough.promise;
  const [first = 0, second = 0, third = 0] = checkedAt;
  assert.deepEqual(warnings, ['could not check the store, retrying in five minutes']);
  assert.ok(second - first >= 5 && second - first < 60, `${second - first} minutes`);
  assert.ok(third - second >= 24 * 60 && third - second < 25 * 60, `${third - second} minutes`);
});
