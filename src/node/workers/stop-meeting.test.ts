import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { StopMeeting } from './stop-meeting.ts';

/** Notes the step when all have reached it. */
function noting(wait: Promise<void>, step: string, passed: string[]): void {
  void wait.then(() => passed.push(step));
}

test('no process passes a step of the stop before all have reached it', async () => {
  const meeting = new StopMeeting();
  const [one, two] = [meeting.join(), meeting.join()];
  const passed: string[] = [];
  noting(one.reach('held'), 'one held', passed);
  await nextTurn();
  assert.deepEqual(passed, []);
  noting(two.reach('held'), 'two held', passed);
  noting(one.reach('closed'), 'one closed', passed);
  await nextTurn();
  assert.deepEqual(passed, ['one held', 'two held']);
  noting(two.reach('closed'), 'two closed', passed);
  await nextTurn();
  assert.deepEqual(passed.slice(2), ['one closed', 'two closed']);
});

test('a process that ends is not waited for', async () => {
  const meeting = new StopMeeting();
  const [one, two] = [meeting.join(), meeting.join()];
  const passed: string[] = [];
  noting(one.reach('held'), 'held', passed);
  two.leave();
  await nextTurn();
  assert.deepEqual(passed, ['held']);
});

test('a process that is blocked delays a step by at most a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const meeting = new StopMeeting();
  meeting.join();
  const passed: string[] = [];
  noting(meeting.join().reach('held'), 'held', passed);
  t.mock.timers.tick(999);
  await nextTurn();
  assert.deepEqual(passed, []);
  t.mock.timers.tick(1);
  await nextTurn();
  assert.deepEqual(passed, ['held']);
});
