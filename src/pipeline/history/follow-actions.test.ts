import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { ActionFollower } from './follow-actions.ts';

function split(ticker: string, factor: number): CorporateAction {
  return { ticker: ticker as Ticker, exDay: 1 as EpochDay, type: 'split', factor, source: 'x' };
}

/** A store whose content a test replaces, and the calls to it. */
class FakeStore {
  current = { revision: 0, actions: [] as readonly CorporateAction[] };
  reads = 0;
  fault: Error | undefined;

  revision(): Promise<number> {
    return Promise.resolve(this.current.revision);
  }

  readAll(): Promise<FakeStore['current']> {
    this.reads += 1;
    return this.fault === undefined ? Promise.resolve(this.current) : Promise.reject(this.fault);
  }
}

test('the first call reads all actions, and later ones only after a change', async () => {
  const store = new FakeStore();
  store.current = { revision: 3, actions: [split('A', 2), split('B', 3)] };
  const changes: (readonly Ticker[])[] = [];
  const follower = new ActionFollower(store, (tickers) => {
    // The new actions are in force when the change is reported.
    assert.deepEqual(follower.current.of('A' as Ticker), store.current.actions.slice(0, 1));
    changes.push(tickers);
  });
  assert.deepEqual(follower.current.of('A' as Ticker), []);
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual([store.reads, changes], [1, [['A', 'B']]]);

  store.current = { revision: 4, actions: [split('A', 2), split('B', 4)] };
  await follower.catchUp();
  assert.deepEqual([store.reads, changes], [2, [['A', 'B'], ['B']]]);
});

test('a change that leaves all actions equal is not reported', async () => {
  const store = new FakeStore();
  let reported = 0;
  const follower = new ActionFollower(store, () => void (reported += 1));
  await follower.catchUp();
  store.current = { revision: 2, actions: [] };
  await follower.catchUp();
  assert.deepEqual([store.reads, reported], [2, 0]);
});

test('actions that could not be read or reported are read and reported again', async () => {
  const store = new FakeStore();
  store.current = { revision: 1, actions: [split('A', 2)] };
  const fault = new Error('busy');
  const changes: (readonly Ticker[])[] = [];
  let isFailing = true;
  const follower = new ActionFollower(store, (tickers) => {
    changes.push(tickers);
    return isFailing ? Promise.reject(fault) : undefined;
  });
  store.fault = fault;
  await assert.rejects(follower.catchUp(), fault);
  assert.deepEqual(changes, []);
  store.fault = undefined;
  await assert.rejects(follower.catchUp(), fault);
  assert.equal(follower.current.of('A' as Ticker).length, 1);
  isFailing = false;
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(changes, [['A'], ['A']]);
});
