import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, close, day, ggal, put } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { FetchedActions } from './fetched-actions.ts';
import { testChange, testClock } from '../../../test/support/market/test-change.ts';

const base = { ticker: ggal, source: 'yahoo' };

function split(date: string, factor: number): CorporateAction {
  return { ...base, exDay: day(date), type: 'split', factor };
}

function dividend(date: string, amount: number): CorporateAction {
  return { ...base, exDay: day(date), type: 'cash-dividend', amount, currency: 'USD' };
}

test('actions that are not recorded are recorded, and recorded ones are never changed', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const fetched = new FetchedActions({ ...store, clock: testClock });
  assert.deepEqual(await fetched.add([]), { added: 0, contradicted: [] });
  const sent = [split('2026-03-02', 4), dividend('2026-04-01', 1), dividend('2026-04-08', 1)];
  assert.deepEqual(await fetched.add(sent), { added: 3, contradicted: [] });
  const { revision, values: actions } = await store.actions.readAll();
  assert.deepEqual(new Set(actions), new Set(sent));
  const again = [split('2026-03-02', 5), dividend('2026-04-01', 2)];
  assert.deepEqual(await fetched.add(again), { added: 0, contradicted: [] });
  assert.equal(await store.actions.revision(), revision);
  const { history, actions: stored } = store;
  const unwritten = { readAll: () => stored.readAll(), apply: () => assert.fail('no change') };
  await new FetchedActions({ history, actions: unwritten, clock: testClock }).add(again);
});

test('a change of units within five days of another one is the same event, whatever its type', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const fetched = new FetchedActions({ ...store, clock: testClock });
  const ratio = { ...base, exDay: day('2026-03-10'), type: 'ratio-change', factor: 2 } as const;
  await store.actions.apply({ put: [ratio, { ...ratio, ticker: al30 }] }, testChange);
  const added = async (action: CorporateAction): Promise<number> => {
    const result = await fetched.add([action]);
    const { ticker, exDay, type } = action;
    if (result.added > 0)
      await store.actions.apply({ remove: [{ ticker, exDay, type }] }, testChange);
    return result.added;
  };
  for (const date of ['2026-03-05', '2026-03-10', '2026-03-15']) {
    assert.equal(await added(split(date, 2)), 0, date);
  }
  for (const date of ['2026-03-04', '2026-03-16'])
    assert.equal(await added(split(date, 2)), 1, date);
  assert.equal(await added(dividend('2026-03-10', 1)), 1);
  const both = [split('2026-06-01', 2), split('2026-06-03', 2)];
  assert.equal((await fetched.add(both)).added, 1);
});

test('an action that the stored closes contradict is named and not recorded', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  // The source of these closes had adjusted them.
  await put(store, ggal, [close('2026-03-01', 100), close('2026-03-02', 101)]);
  const fetched = new FetchedActions({ ...store, clock: testClock });
  const wrong = split('2026-03-02', 4);
  const sound = dividend('2026-03-02', 50);
  assert.deepEqual(await fetched.add([wrong, sound]), { added: 1, contradicted: [wrong] });
  assert.deepEqual((await store.actions.readAll()).values, [sound]);
  await put(store, ggal, [close('2026-03-01', 400)]);
  assert.deepEqual(await fetched.add([wrong]), { added: 1, contradicted: [] });
});

const office = (action: CorporateAction): CorporateAction => ({ ...action, source: 'office' });

test('the actions of another Pizarra replace those that came from it, and none of another source', async (t) => {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const imported = dividend('2026-05-04', 3);
  await store.actions.apply({ put: [imported, split('2025-01-02', 2)] }, testChange);
  const fetched = new FetchedActions({ ...store, clock: testClock });
  const copy = (...actions: readonly CorporateAction[]) =>
    fetched.copy({ source: 'office', ticker: ggal, actions: actions.map(office) });
  const recorded = async () => new Set((await store.actions.readAll()).values);

  // Two changes of units within five days are two actions there, so they are here.
  const splits = [split('2026-03-02', 4), split('2026-03-04', 2)];
  const first = [...splits, dividend('2026-05-04', 7)];
  assert.equal(await copy(...first), 2);
  const kept = [imported, split('2025-01-02', 2)];
  assert.deepEqual(await recorded(), new Set([...kept, ...splits.map(office)]));
  const { revision } = await store.actions.readAll();
  assert.equal(await copy(...first), 0);
  assert.equal(await store.actions.revision(), revision);

  const changed = split('2026-03-02', 5);
  assert.equal(await copy(changed), 2);
  assert.deepEqual(await recorded(), new Set([...kept, office(changed)]));
  // The action of an earlier ticker belongs to that ticker: only its own list removes it.
  const earlier = { ...dividend('2024-01-02', 1), ticker: al30 };
  assert.equal(await copy(changed, earlier), 1);
  assert.equal(await copy(changed), 0);
  assert.equal(await copy(), 1);
  assert.deepEqual(await recorded(), new Set([...kept, office(earlier)]));
});
