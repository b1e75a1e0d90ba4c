import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FeedFault, reject } from '../contract/feed.ts';
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

const bar = (ticker: string, minute: number, last: number) => {
  const prices = { open: last, high: last, low: last, last, volume: 1 };
  return { ticker: ticker as Ticker, bar: { day: 20_777 as EpochDay, minute, ...prices } };
};

test('of each minute the latest state of its bar waits, and bars are taken in order of time', () => {
  const pending = new PendingBatch();
  pending.addBars([bar('A', 7, 1), bar('A', 8, 2)]);
  pending.addBars([bar('B', 6, 3)]);
  pending.addBars([bar('A', 7, 4)]);
  assert.deepEqual(pending.take().bars, [bar('B', 6, 3), bar('A', 7, 4), bar('A', 8, 2)]);
  assert.equal(pending.take().bars, undefined);
});

test('a reader waits until the bars were taken', async () => {
  const pending = new PendingBatch();
  await pending.taken(signal);
  pending.addBars([bar('A', 7, 1)]);
  const waiting = Promise.all([pending.taken(signal), pending.taken(signal)]);
  pending.take();
  await waiting;
  pending.addBars([bar('A', 7, 1)]);
  const stop = new AbortController();
  const stopped = assert.rejects(pending.taken(stop.signal), /aborted/);
  stop.abort();
  await stopped;
});

test('a batch is full when more bars wait than are taken at once, until it is taken', () => {
  const pending = new PendingBatch();
  const bars = Array.from({ length: 50_000 }, (_, minute) => bar('A', minute, 1));
  pending.addBars(bars);
  assert.equal(pending.isFull, false);
  pending.addBars([bar('B', 1, 1)]);
  assert.equal(pending.isFull, true);
  pending.take();
  assert.equal(pending.isFull, false);
});

test('an outage is part of every batch until all parts have recovered', () => {
  const pending = new PendingBatch();
  const [first, second] = [new FeedFault('unavailable', '1'), new FeedFault('limited', '2')];
  pending.outage('stream 1', first);
  pending.outage('state', second);
  assert.equal(pending.take().outage, first);
  pending.outage('stream 1', undefined);
  assert.equal(pending.take().outage, second);
  pending.outage('state', undefined);
  assert.deepEqual(pending.take(), { updates: [], rejected: [] });
});
