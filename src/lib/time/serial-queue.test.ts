import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deferred, within } from '../../../test/support/wait.ts';
import { ParallelQueue, SerialQueue } from './serial-queue.ts';

test('work runs one after the other, in the order of the calls, also after work that fails', async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise(setImmediate);
    order.push(`${name} ends`);
    if (name === 'a') throw new Error('failed');
    return name;
  };
  const all = ['a', 'b', 'c'].map((name) => queue.run(work(name)));
  const settled = Promise.allSettled(all);
  await queue.ended();
  assert.equal(order.length, 6);
  const results = await settled;
  assert.deepEqual(
    results.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
    ['Error: failed', 'b', 'c'],
  );
  assert.deepEqual(
    order,
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('work never waits behind other work while fewer run than may run at once', async () => {
  const queue = new ParallelQueue(2);
  const [slow, quick] = [deferred<void>(), deferred<void>()];
  const running = [slow, quick].map((gate) => queue.run(() => gate.promise));
  const order: number[] = [];
  const later = [1, 2, 3].map((name) => queue.run(async () => order.push(name)));
  const failed = queue.run(() => Promise.reject(new Error('failed')));
  assert.deepEqual(order, []);
  quick.resolve();
  await within('the work beside the slow one', Promise.allSettled([...later, failed]));
  assert.deepEqual(order, [1, 2, 3]);
  await within(
    'the work after one that failed',
    queue.run(() => Promise.resolve()),
  );
  slow.resolve();
  await Promise.all(running);
});
