import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { Driver } from './driver.ts';

type Action = 'wait' | 'work' | 'end';

/** A machine whose actions the test gives, and a driver of it. */
function rig(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const due: Action[] = [];
  const done: (readonly [Action, number])[] = [];
  const state = { now: 0, wakeAt: Infinity };
  const machine = {
    get wakeAt() {
      return state.wakeAt;
    },
    step: (): Action => due.shift() ?? 'wait',
  };
  const driver: Driver<Action> = new Driver<Action>(machine, {
    monotonic: () => state.now,
    act: (action, now) => {
      done.push([action, now]);
      if (action === 'end') driver.stop();
    },
  });
  const pass = (ms: number): void => {
    state.now += ms;
    t.mock.timers.tick(ms);
  };
  return { state, due, done, driver, pass };
}

test('everything that is due is done, and then nothing until the machine must be asked again', (t) => {
  const { state, due, done, driver, pass } = rig(t);
  due.push('work', 'work');
  state.wakeAt = 10;
  driver.drive();
  assert.deepEqual(done.splice(0), [
    ['work', 0],
    ['work', 0],
  ]);
  due.push('work');
  pass(9);
  assert.deepEqual(done, []);
  state.wakeAt = Infinity;
  pass(1);
  assert.deepEqual(done.splice(0), [['work', 10]]);
  due.push('work');
  pass(1_000_000);
  assert.deepEqual(done, []);
});

test('a driver that is stopped does nothing more, neither now nor by its timer nor when it is driven', (t) => {
  const { state, due, done, driver, pass } = rig(t);
  state.wakeAt = 10;
  driver.drive();
  due.push('end', 'work');
  driver.drive();
  assert.deepEqual(done, [['end', 0]]);
  pass(20);
  driver.drive();
  assert.deepEqual(done, [['end', 0]]);
});
