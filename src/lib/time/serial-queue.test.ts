import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deferred, within } from '../../../test/support/wait.ts';
import { SerialQueue, shortestOf } from './serial-queue.ts';

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
  assert.equal(queue.length, 3);
  const results = await Promise.allSettled(all);
  assert.deepEqual(
    results.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
    ['Error: failed', 'b', 'c'],
  );
  assert.deepEqual(
    order,
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  await queue.ended();
  assert.equal(queue.length, 0);
});

test('work never waits behind other work while another queue is idle', async () => {
  const queues = [new SerialQueue(), new SerialQueue()] as const;
  const gate = deferred<void>();
  const slow = shortestOf(queues).run(() => gate.promise);
  for (let count = 0; count < 3; count += 1) {
    const queue = shortestOf(queues);
    await within(
      'the work of the idle queue',
      queue.run(() => Promise.resolve()),
    );
    await within('the idle queue is empty', queue.ended());
  }
  gate.resolve();
  await slow;
});
