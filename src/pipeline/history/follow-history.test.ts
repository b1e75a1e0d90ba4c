import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { al30, close, day, put } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { changeAt } from '../../../test/support/market/test-change.ts';
import { openTestStore } from '../../../test/support/program/test-store.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { HistoryFollower } from './follow-history.ts';

function split(ticker: string, factor: number): CorporateAction {
  return { ticker: ticker as Ticker, exDay: 1 as EpochDay, type: 'split', factor, source: 'x' };
}

function issue(ticker: string, ...series: readonly string[]): IssueTerms {
  return { ticker: ticker as Ticker, series: series.map((one) => one as Ticker), values: {} };
}

/** A follower of an empty store, whose whole reads are counted, and may fail. */
async function followed(t: TestContext, adoptActions?: (tickers: readonly Ticker[]) => unknown) {
  const store = await openTestStore(await temporaryDirectory(t));
  t.after(() => store[Symbol.asyncDispose]());
  const reads = { actions: 0, indices: 0, terms: 0 };
  const state = { reads, isDown: false, published: [] as (readonly Ticker[])[] };
  const read = <T>(what: keyof typeof reads, from: () => Promise<T>): Promise<T> => {
    reads[what] += 1;
    return state.isDown ? Promise.reject(new Error('down')) : from();
  };
  const { actions, indices, terms, history } = store;
  const follower = new HistoryFollower(
    {
      history,
      actions: {
        ...actions,
        revision: () => actions.revision(),
        readAll: () => read('actions', () => actions.readAll()),
      },
      indices: {
        ...indices,
        revision: () => indices.revision(),
        readAll: () => read('indices', () => indices.readAll()),
      },
      terms: {
        ...terms,
        revision: () => terms.revision(),
        readVersions: () => read('terms', () => terms.readVersions()),
      },
    },
    {
      revisions: { increase: (tickers) => void state.published.push(tickers) },
      adoptActions: async (tickers) => void (await adoptActions?.(tickers)),
    },
  );
  const apply = (...list: readonly CorporateAction[]) => actions.apply({ put: list }, changeAt(1));
  return Object.assign(state, { follower, store, apply });
}

test('the actions are read once, and again after a change, of which caches and the caller hear', async (t) => {
  const adopted: (readonly Ticker[])[] = [];
  const state = await followed(t, (tickers) => {
    // The new actions are in force when the change is reported.
    assert.ok(tickers.every((one) => state.follower.actions.of(one).length === 1));
    // The caches have heard of it.
    assert.deepEqual(state.published.at(-1), tickers);
    adopted.push(tickers);
  });
  const { follower, apply, reads } = state;
  assert.deepEqual(follower.actions.of('A' as Ticker), []);
  await apply(split('A', 2), split('B', 3));
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual([reads.actions, adopted], [1, [['A', 'B']]]);
  await apply(split('B', 4));
  await follower.catchUp();
  assert.deepEqual([reads.actions, adopted], [2, [['A', 'B'], ['B']]]);
});

test('actions that could not be read or reported are read and reported again', async (t) => {
  const adopted: (readonly Ticker[])[] = [];
  let isFailing = true;
  const state = await followed(t, (tickers) => {
    adopted.push(tickers);
    return isFailing ? Promise.reject(new Error('busy')) : undefined;
  });
  const { follower, apply } = state;
  await apply(split('A', 2));
  state.isDown = true;
  await assert.rejects(follower.catchUp(), /down/);
  assert.deepEqual(adopted, []);
  state.isDown = false;
  await assert.rejects(follower.catchUp(), /busy/);
  assert.equal(follower.actions.of('A' as Ticker).length, 1);
  isFailing = false;
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(adopted, [['A'], ['A']]);
});

test('indices are read once, and again only after a change of a value, also if a read fails', async (t) => {
  const state = await followed(t);
  const { follower, store, reads } = state;
  const [date, source] = [day('2026-12-15'), 'x'];
  assert.equal(follower.indices.valueAt('CER', date), undefined);
  await follower.catchUp();
  await follower.catchUp();
  assert.equal(reads.indices, 1);
  const seen = follower.indices;
  await put(store, al30, [close('2026-05-04', 1)]);
  await follower.catchUp();
  assert.equal(follower.indices, seen, 'a close changes no index');
  await store.indices.apply({ put: [{ index: 'CER', day: date, value: 7, source }] }, changeAt(1));
  state.isDown = true;
  await assert.rejects(follower.catchUp(), /down/);
  state.isDown = false;
  await follower.catchUp();
  assert.equal(reads.indices, 3);
  assert.equal(follower.indices.valueAt('CER', date), 7);
  assert.notEqual(follower.indices.version, seen.version);
  assert.equal(seen.valueAt('CER', date), undefined, 'a series never changes');
});

test('every class that has or had terms is reported when terms have changed, and not before', async (t) => {
  const state = await followed(t);
  const { follower, store, published } = state;
  const first = [issue('AL30', 'AL30D'), issue('GD30')];
  await store.terms.apply({ put: first }, changeAt(1));
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(published, []);
  await store.terms.apply({ put: [issue('AL30', 'AL30C')] }, changeAt(2));
  state.isDown = true;
  await assert.rejects(follower.catchUp(), /down/);
  state.isDown = false;
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(published, [['AL30', 'AL30D', 'AL30C', 'GD30']]);
});

test('closes that have changed are reported once', async (t) => {
  const { follower, store, published } = await followed(t);
  await put(store, al30, [close('2026-05-04', 1)]);
  await follower.catchUp();
  await follower.catchUp();
  assert.deepEqual(published, [[al30]]);
});
