import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { reject } from '../contract/sample.ts';
import { PendingBatch } from './pending-batch.ts';

const signal = new AbortController().signal;
const quote = (ticker: string, at: number) => ({ ticker: ticker as Ticker, at, last: at });

test('of each instrument the latest quote waits, in the order of the latest ones', async () => {
  const pending = new PendingBatch();
  for (const [ticker, at] of [
    ['A', 1],
    ['B', 2],
    ['A', 3],
  ] as const)
    pending.add(quote(ticker, at));
  await pending.ready(signal);
  assert.deepEqual(pending.take(), { updates: [quote('B', 2), quote('A', 3)], rejected: [] });
});

test('a batch without updates is due when the origin was heard, and only then', async () => {
  const pending = new PendingBatch();
  let isReady = false;
  const waiting = pending.ready(signal).then(() => (isReady = true));
  await new Promise((resolve) => void setImmediate(resolve));
  assert.equal(isReady, false);
  pending.heard();
  await waiting;
  assert.deepEqual(pending.take(), { updates: [], rejected: [] });
});

test('a fault ends the waiting after what came before it was taken, and the first fault counts', async () => {
  const pending = new PendingBatch();
  pending.reject([reject('not-offered', 'A', 'A')]);
  pending.fail(new Error('first'));
  pending.fail(new Error('second'));
  await pending.ready(signal);
  assert.equal(pending.take().rejected.length, 1);
  await assert.rejects(pending.ready(signal), /first/);
});

test('the end of the service ends the waiting', async () => {
  const stop = new AbortController();
  const waiting = new PendingBatch().ready(stop.signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(waiting, /stopped/);
});

test('rejections beyond the limit are dropped', () => {
  const pending = new PendingBatch();
  const many = Array.from({ length: 700 }, () => reject('no-price', 'x'));
  pending.reject(many);
  pending.reject(many);
  assert.equal(pending.take().rejected.length, 1_000);
});
