import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WorkLimit } from './evaluate.ts';

test('at most so many turns are taken at once, and the others follow in their order', async () => {
  const turns = new WorkLimit(2);
  const { signal } = new AbortController();
  const [one, two] = [await turns.take(signal), await turns.take(signal)];
  const order: number[] = [];
  const later = [3, 4].map(async (name) => {
    using _ = await turns.take(signal);
    order.push(name);
  });
  await new Promise(setImmediate);
  assert.deepEqual(order, []);
  one[Symbol.dispose]();
  await Promise.all(later);
  assert.deepEqual(order, [3, 4]);
  two[Symbol.dispose]();
  using _ = await turns.take(signal);
});

test('work that is aborted while it waits rejects with the reason, and takes no turn', async () => {
  const turns = new WorkLimit(1);
  const stopping = new AbortController();
  const one = await turns.take(new AbortController().signal);
  const waiting = turns.take(stopping.signal);
  stopping.abort(new Error('stopped'));
  await assert.rejects(waiting, /stopped/);
  await assert.rejects(turns.take(stopping.signal), /stopped/);
  one[Symbol.dispose]();
  using _ = await turns.take(new AbortController().signal);
});
