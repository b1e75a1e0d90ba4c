import assert from 'node:assert/strict';
import { test } from 'node:test';

import { repeat } from './repeat.ts';
import { deferred } from '../../../test/support/wait.ts';

test('work that fails is retried, and reported at the first, second, fourth … failure in a row', async () => {
  const told: number[] = [];
  const { promise: done, resolve } = deferred<void>();
  let times = 0;
  const work = async (): Promise<void> => {
    times += 1;
    if (times === 20) resolve();
    // Nine failures in a row, one success, then further failures.
    if (times !== 10) throw new Error(`${times}`);
  };
  await using _ = repeat(work, {
    pauseMs: 0,
    onFault: (fault) => told.push(Number((fault as Error).message)),
  });
  await done;
  assert.deepEqual(told, [1, 2, 4, 8, 11, 12, 14, 18]);
});

test('disposing waits for the call under way, and no further call starts', async () => {
  const begun = deferred<void>();
  const gate = deferred<void>();
  let times = 0;
  const work = async (): Promise<void> => {
    times += 1;
    begun.resolve();
    await gate.promise;
  };
  const repeated = repeat(work, { pauseMs: 0, onFault: () => assert.fail() });
  await begun.promise;
  let isDisposed = false;
  const disposed = repeated[Symbol.asyncDispose]().then(() => (isDisposed = true));
  await new Promise(setImmediate);
  assert.equal(isDisposed, false);
  gate.resolve();
  await disposed;
  assert.equal(times, 1);
});

test('a wake ends the pause at once, and one during a call makes the next call follow at once', async () => {
  const begun = [deferred<void>(), deferred<void>(), deferred<void>()];
  const gates = [deferred<void>(), deferred<void>(), deferred<void>()];
  let times = 0;
  const work = async (): Promise<void> => {
    const at = times++;
    begun[at]?.resolve();
    await gates[at]?.promise;
  };
  // The pauses are longer than any test.
  await using repeated = repeat(work, { pauseMs: 3_600_000, onFault: () => assert.fail() });
  repeated.wake();
  await begun[0]?.promise;
  repeated.wake();
  repeated.wake();
  gates[0]?.resolve();
  await begun[1]?.promise;
  gates[1]?.resolve();
  await new Promise(setImmediate);
  assert.equal(times, 2, 'two wakes during a call are one');
  repeated.wake();
  await begun[2]?.promise;
  gates[2]?.resolve();
});

test('work that fails is not woken before its pause is over', async () => {
  const failed = deferred<void>();
  let times = 0;
  const work = async (): Promise<void> => {
    times += 1;
    throw new Error('no');
  };
  await using repeated = repeat(work, { pauseMs: 3_600_000, onFault: () => failed.resolve() });
  repeated.wake();
  await failed.promise;
  repeated.wake();
  await new Promise(setImmediate);
  assert.equal(times, 1);
});
