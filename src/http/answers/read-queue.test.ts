import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { deferred } from '../../../test/support/wait.ts';
import { Overloaded } from '../handler/response.ts';
import { ReadQueue, oneSlice, type Sliced } from './read-queue.ts';

/** Each look at the clock is later by more than a turn, so each slice is a turn. */
function clockOf(stepMs: number): { readonly monotonic: () => number } {
  let now = 0;
  return { monotonic: () => (now += stepMs) };
}

const limits = { readWaitMsMax: 60_000, readsMax: 4, clock: clockOf(10) };

/** The slices that were read, as the names of their reads. */
class Slices {
  readonly read: string[] = [];

  /** Work of some slices, the last of which has the result. */
  of(name: string, count: number): () => Sliced<string> {
    const { read } = this;
    return async function* work() {
      for (let slice = 1; slice < count; slice += 1) {
        read.push(name);
        yield;
      }
      read.push(name);
      return name;
    };
  }
}

function isOverloaded(fault: unknown): boolean {
  return fault instanceof Overloaded;
}

test('a client whose reads never end delays each slice of another client by one slice', async () => {
  const queue = new ReadQueue(limits);
  const slices = new Slices();
  const expensive = Array.from({ length: 30 }, () =>
    queue.add('busy', slices.of('busy', 1_000_000)),
  );
  const ended = Promise.allSettled(expensive.map(({ result }) => result));
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  for (let round = 0; round < 10; round += 1) {
    const before = slices.read.length;
    assert.equal(await queue.add('other', slices.of('other', 5)).result, 'other');
    const during = slices.read.slice(before);
    const own = during.filter((name) => name === 'other').length;
    assert.equal(own, 5);
    assert.ok(during.length - own <= own + 1, during.join(' '));
  }
  await queue[Symbol.asyncDispose]();
  assert.ok((await ended).every(({ status }) => status === 'rejected'));
});

test('a turn has several slices if they are short', async () => {
  const queue = new ReadQueue({ ...limits, clock: clockOf(1) });
  const slices = new Slices();
  await Promise.all(['a', 'b'].map((name) => queue.add(name, slices.of(name, 7)).result));
  assert.equal(slices.read.join(''), 'aaaaabbbbbaabb');
});

test('the reads of one client are done one after the other, in order, also after one that fails', async () => {
  const queue = new ReadQueue(limits);
  const slices = new Slices();
  const first = queue.add('a', slices.of('first', 3));
  const failing = queue.add('a', () => oneSlice(() => Promise.reject(new Error('broken'))));
  const last = queue.add('a', slices.of('last', 2));
  await assert.rejects(failing.result, /broken/);
  assert.deepEqual([await first.result, await last.result], ['first', 'last']);
  assert.deepEqual(slices.read, ['first', 'first', 'first', 'last', 'last']);
});

test('no more reads than the limit are under way, and the next one begins when one of them ends', async () => {
  const queue = new ReadQueue({ ...limits, readsMax: 2 });
  const slices = new Slices();
  const reads = ['a', 'b', 'c'].map((name) => queue.add(name, slices.of(name, 3)).result);
  await Promise.all(reads);
  assert.deepEqual(slices.read.slice(0, 5), ['a', 'b', 'a', 'b', 'a']);
  assert.ok(slices.read.indexOf('c') > slices.read.lastIndexOf('a'));
});

test('a read for which two clients wait is done in the turns of both', async () => {
  const queue = new ReadQueue(limits);
  const slices = new Slices();
  const busy = queue.add('busy', slices.of('busy', 1_000_000));
  const shared = queue.add('busy', slices.of('shared', 3));
  shared.join('other');
  assert.equal(await shared.result, 'shared');
  busy.cancel();
  await assert.rejects(busy.result, isOverloaded);
});

test('a read that waits for too long is refused, and one that has begun is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = new ReadQueue({ ...limits, readWaitMsMax: 1_000 });
  const slices = new Slices();
  const gate = deferred<void>();
  const begun = queue.add('a', () => oneSlice(() => gate.promise.then(() => 'begun')));
  const waiting = queue.add('a', slices.of('waiting', 1));
  const refused = assert.rejects(waiting.result, isOverloaded);
  await nextTurn();
  t.mock.timers.tick(1_000);
  await refused;
  gate.resolve();
  assert.equal(await begun.result, 'begun');
  assert.deepEqual(slices.read, []);
});

test('a cancelled read ends with its slice, releases what it holds, and lets the next one begin', async () => {
  const queue = new ReadQueue({ ...limits, readsMax: 1 });
  const slices = new Slices();
  const gate = deferred<void>();
  let isReleased = false;
  const read = queue.add('a', async function* work(): Sliced<string> {
    try {
      await gate.promise;
      slices.read.push('slice');
      yield;
      slices.read.push('a slice too many');
      return 'read';
    } finally {
      isReleased = true;
    }
  });
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  read.cancel();
  await assert.rejects(read.result, isOverloaded);
  gate.resolve();
  assert.equal(await queue.add('b', slices.of('next', 1)).result, 'next');
  assert.deepEqual([slices.read, isReleased], [['slice', 'next'], true]);
});

test('the disposal of the queue refuses what waits, and resolves when the slice under way has been read', async () => {
  const queue = new ReadQueue(limits);
  const gate = deferred<void>();
  let hasRead = false;
  const begun = queue.add('a', async function* work(): Sliced<string> {
    await gate.promise;
    hasRead = true;
    yield;
    return 'read';
  });
  const waiting = queue.add('a', new Slices().of('waiting', 1));
  const refused = [begun, waiting].map(({ result }) => assert.rejects(result, isOverloaded));
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  const disposed = queue[Symbol.asyncDispose]().then(() => hasRead);
  await Promise.all(refused);
  gate.resolve();
  assert.equal(await disposed, true);
});
