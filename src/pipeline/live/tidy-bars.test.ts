import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockAt } from '../../../test/support/market/clock-at.ts';
import { deferred } from '../../../test/support/wait.ts';
import { silentLog, type Log } from '../../lib/reports/log.ts';
import type { TidyOptions } from '../../store/contract/bar-store.ts';
import { tidyBars } from './tidy-bars.ts';

const minuteMs = 60_000;
const now = 10_000 * minuteMs;

/** Longer than the test. */
const never = 1e9;

function tidy(
  step: (options: TidyOptions) => Promise<boolean>,
  {
    roundMs = 0,
    stepMs = 0,
    log = silentLog,
  }: { roundMs?: number; stepMs?: number; log?: Log } = {},
): AsyncDisposable {
  return tidyBars({
    bars: { tidyBars: step },
    clock: clockAt(() => now + 59_999),
    log,
    settleDelayMs: 15 * minuteMs,
    sessionsMax: 3,
    pauses: { roundMs, stepMs },
  });
}

test('a round takes steps until none is left, for days without a bar since an hour and the settle delay', async () => {
  const answers = [true, true, false, true, false];
  const steps: TidyOptions[] = [];
  const { promise: done, resolve } = deferred<void>();
  await using _ = tidy(async (options) => {
    steps.push(options);
    if (steps.length === answers.length) resolve();
    return answers[steps.length - 1] ?? false;
  });
  await done;
  for (const step of steps) assert.deepEqual(step, { idleSince: 10_000 - 75, sessionsMax: 3 });
});

test('there is a pause before a round and between two steps', async () => {
  let steps = 0;
  const step = async (): Promise<boolean> => {
    steps += 1;
    begun.resolve();
    return true;
  };
  const begun = deferred<void>();
  {
    await using _ = tidy(step, { roundMs: never });
    await new Promise(setImmediate);
    assert.equal(steps, 0);
  }
  await using _ = tidy(step, { stepMs: never });
  await begun.promise;
  await new Promise(setImmediate);
  assert.equal(steps, 1);
});

test('a fault is logged, and the next round tidies again', async () => {
  const { promise: done, resolve } = deferred<void>();
  const logged: string[] = [];
  let steps = 0;
  const error = (_: object, message: string): void => void logged.push(message);
  const step = async (): Promise<boolean> => {
    steps += 1;
    if (steps === 1) throw new Error('no');
    resolve();
    return false;
  };
  await using _ = tidy(step, { log: { ...silentLog, error } });
  await done;
  assert.deepEqual(logged, ['could not tidy the bars, retrying']);
});

test('disposing ends a round after its step', async () => {
  const begun = deferred<void>();
  const gate = deferred<void>();
  let steps = 0;
  const running = tidy(async () => {
    steps += 1;
    begun.resolve();
    await gate.promise;
    return true;
  });
  await begun.promise;
  const disposed = running[Symbol.asyncDispose]();
  gate.resolve();
  await disposed;
  assert.equal(steps, 1);
});
