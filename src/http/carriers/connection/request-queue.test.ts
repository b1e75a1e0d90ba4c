import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RequestQueue } from './request-queue.ts';

/** A queue whose turns and clock the test moves; each request takes a millisecond. */
function start(limits: Partial<ConstructorParameters<typeof RequestQueue>[0]> = {}): {
  readonly queue: RequestQueue;
  readonly done: string[];
  readonly read: (client: string) => void;
  readonly turn: () => void;
  readonly clock: { ms: number };
} {
  const clock = { ms: 0 };
  let next: (() => void) | undefined;
  const done: string[] = [];
  const queue = new RequestQueue(
    { turnBudgetMs: 2, queueWaitMsMax: 100, queuedMax: 1_000, ...limits },
    { now: () => clock.ms, nextTurn: (work) => (next = work) },
  );
  const run = (client: string): void => {
    clock.ms += 1;
    done.push(client);
  };
  return {
    queue,
    done,
    clock,
    read: (client) => {
      if (!queue.mustWait(clock.ms)) return run(client);
      queue.add(client, { run: () => run(client), shed: () => void done.push(`${client} shed`) });
    },
    turn: () => {
      const work = next;
      next = undefined;
      work?.();
    },
  };
}

test('a turn answers requests as they are read until its time is used up, and the others wait', () => {
  const { queue, done, read, turn } = start();
  for (let count = 0; count < 10; count += 1) read('a');
  assert.equal(done.length, 3);
  assert.equal(queue.size, 7);
  turn();
  assert.equal(done.length, 6, 'the next turn is as short');
  while (queue.size > 0) turn();
  assert.equal(done.length, 10);
  turn();
  read('a');
  assert.equal(done.length, 11, 'nothing waits any more');
});

test('a client with one request waits for one request of each other client, and not for all of one', () => {
  const { queue, done, read, turn } = start();
  for (let count = 0; count < 50; count += 1) read('heavy');
  read('new');
  read('other');
  while (queue.size > 0) turn();
  assert.ok(done.indexOf('new') <= 5, done.slice(0, 8).join());
  assert.ok(done.indexOf('other') <= 6, done.slice(0, 8).join());
  assert.equal(done.length, 52);
});

test('a request that has waited for too long is shed, and so is one beyond the limit on their number', () => {
  const { queue, done, read, turn, clock } = start({ queuedMax: 5, queueWaitMsMax: 50 });
  for (let count = 0; count < 9; count += 1) read('a');
  assert.deepEqual(done, ['a', 'a', 'a', 'a shed']);
  turn();
  clock.ms += 80;
  while (queue.size > 0) turn();
  assert.equal(done.filter((what) => what === 'a shed').length, 3);
});

test('a client that fills the queue loses its own newest requests, and the requests of others wait for their turn', () => {
  const { queue, done, read, turn } = start({ queuedMax: 6 });
  for (let count = 0; count < 12; count += 1) read('heavy');
  assert.deepEqual(done.splice(0), [
    'heavy',
    'heavy',
    'heavy',
    'heavy shed',
    'heavy shed',
    'heavy shed',
  ]);
  for (const client of ['new', 'other', 'new', 'new']) read(client);
  assert.deepEqual(done.splice(0), ['heavy shed', 'heavy shed', 'heavy shed', 'new shed']);
  assert.equal(queue.size, 6);
  while (queue.size > 0) turn();
  assert.deepEqual(done.toSorted(), ['heavy', 'heavy', 'heavy', 'new', 'new', 'other']);
});

test('a process that was suspended sheds no request, whether none or some of those that wait were answered before', () => {
  const { queue, done, read, turn, clock } = start({ queueWaitMsMax: 250 });
  for (let count = 0; count < 9; count += 1) read('a');
  clock.ms += 5_000;
  turn();
  clock.ms += 5_000;
  while (queue.size > 0) turn();
  assert.deepEqual(
    done,
    Array.from({ length: 9 }, () => 'a'),
  );
});

test('requests of one client are answered in their order, however many wait', () => {
  const order: number[] = [];
  let next: (() => void) | undefined;
  const queue = new RequestQueue(
    { turnBudgetMs: 1_000, queueWaitMsMax: 1_000, queuedMax: 10_000 },
    { now: () => 0, nextTurn: (work) => (next = work) },
  );
  queue.mustWait(0);
  for (let number = 0; number < 500; number += 1) {
    queue.add('a', { run: () => order.push(number), shed: () => assert.fail() });
  }
  next?.();
  assert.deepEqual(
    order,
    Array.from({ length: 500 }, (_, at) => at),
  );
});

test('while requests are held none is answered, and after the release all are, in order', () => {
  const { queue, done, read, turn } = start();
  queue.hold();
  read('a');
  read('b');
  turn();
  turn();
  assert.deepEqual(done, []);
  queue.release();
  turn();
  assert.deepEqual(done, ['a', 'b']);
  read('a');
  assert.equal(done.length, 3, 'a request after the release is answered at once');
});
