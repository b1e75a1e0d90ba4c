import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import type { EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { al30, close, day, ggal, mep, put } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';
import { testChange } from '../../support/market/test-change.ts';

/** The guarantees of every store about corporate actions. */
export function testActions(name: string, makePlace: MakePlace): void {
  describe(`${name}: corporate actions`, () => {
    test('an empty store has no actions', async (t) => {
      await using store = await (await makePlace(t)).open();
      const { values: actions, revision } = await store.actions.readAll();
      assert.deepEqual(actions, []);
      assert.equal(revision, await store.actions.revision());
    });

    test('actions of all types are read back with all fields, by ticker, ex date and type', async (t) => {
      const place = await makePlace(t);
      const ordered: readonly CorporateAction[] = [
        split(al30, '2026-08-24', 10),
        { ...base(ggal, '1969-12-31'), type: 'ratio-change', factor: 2.5 },
        { ...base(ggal, '2026-01-02'), type: 'cash-dividend', amount: 0.1 + 0.2, currency: 'USD' },
        { ...base(ggal, '2026-01-02'), type: 'rights-issue', factor: 1.1 },
        { ...base(ggal, '2026-01-02'), type: 'spin-off', factor: 2.376 },
        { ...base(ggal, '2026-01-02'), type: 'split', factor: 0.1 },
        { ...base(ggal, '2026-01-02'), type: 'stock-dividend', factor: 1.09, source: 'Ñandú ✓' },
        { ...base(ggal, '2026-01-02'), type: 'ticker-change', newTicker: mep },
      ];
      {
        await using store = await place.open();
        await store.actions.apply({ put: ordered.toReversed() }, testChange);
      }
      await using store = await place.open();
      assert.deepEqual((await store.actions.readAll()).values, ordered);
    });

    test('an action with the same ticker, ex date and type is replaced', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.actions.apply({ put: [split(al30, '2026-08-24', 10)] }, testChange);
      for (const changed of [
        split(al30, '2026-08-24', 5),
        { ...split(al30, '2026-08-24', 5), source: 'other' },
      ]) {
        const revision = await store.actions.revision();
        const keys = await apply(store, { put: [changed] });
        assert.deepEqual(keys, [keyOf(changed)]);
        assert.deepEqual(await store.actions.readAll(), {
          revision: revision + 1,
          values: [changed],
        });
      }
    });

    test('a difference in any single field is a change, and an equal action is none', async (t) => {
      await using store = await (await makePlace(t)).open();
      const dividend = { ...base(al30, '2026-01-02'), type: 'cash-dividend' } as const;
      const renamed = { ...base(al30, '2026-01-02'), type: 'ticker-change' } as const;
      for (const [one, other] of [
        [split(al30, '2026-01-02', 2), split(al30, '2026-01-02', 3)],
        [
          { ...dividend, amount: 1, currency: 'USD' },
          { ...dividend, amount: 2, currency: 'USD' },
        ],
        [
          { ...dividend, amount: 2, currency: 'USD' },
          { ...dividend, amount: 2, currency: 'ARS' },
        ],
        [
          { ...renamed, newTicker: ggal },
          { ...renamed, newTicker: mep },
        ],
      ] as const) {
        await store.actions.apply({ put: [one] }, testChange);
        const revision = await store.actions.revision();
        assert.deepEqual(await store.actions.apply({ put: [one] }, testChange), []);
        assert.equal(await store.actions.revision(), revision);
        assert.equal((await store.actions.apply({ put: [other] }, testChange)).length, 1);
        assert.equal(await store.actions.revision(), revision + 1);
      }
    });

    test('an action is removed by its key, and no other one', async (t) => {
      await using store = await (await makePlace(t)).open();
      const kept = [
        split(al30, '2026-08-25', 10),
        { ...base(al30, '2026-08-24'), type: 'ratio-change', factor: 2 } as const,
        split(ggal, '2026-08-24', 10),
      ];
      const removed = split(al30, '2026-08-24', 10);
      await store.actions.apply({ put: [...kept, removed] }, testChange);
      const revision = await store.actions.revision();
      const gone = { remove: [keyOf(removed)] };
      assert.deepEqual(await apply(store, gone), [keyOf(removed)]);
      assert.equal(await store.actions.revision(), revision + 1);
      assert.deepEqual(
        new Set((await store.actions.readAll()).values),
        new Set<CorporateAction>(kept),
      );
      assert.deepEqual(await store.actions.apply(gone, testChange), []);
      assert.equal(await store.actions.revision(), revision + 1);
    });

    test('an action whose key is given twice is removed once, and kept once', async (t) => {
      await using store = await (await makePlace(t)).open();
      const removed = split(al30, '2026-08-24', 10);
      await store.actions.apply({ put: [removed] }, testChange);
      const revision = await store.actions.revision();
      const twice = [keyOf(removed), keyOf(removed)];
      assert.deepEqual(await apply(store, { remove: twice }), [keyOf(removed)]);
      assert.deepEqual(await store.actions.readAll(), { revision: revision + 1, values: [] });
      assert.equal((await store.actions.readVersions()).length, 1);
    });

    test('a change with an impossible number stores nothing', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.actions.apply({ put: [split(ggal, '2026-01-02', 2)] }, testChange);
      const before = await store.actions.readAll();
      const dividend = {
        ...base(mep, '2026-01-02'),
        type: 'cash-dividend',
        currency: 'ARS',
      } as const;
      for (const number of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY]) {
        for (const wrong of [split(mep, '2026-01-02', number), { ...dividend, amount: number }]) {
          const change = {
            put: [split(al30, '2026-01-02', 2), wrong],
            remove: [keyOf(split(ggal, '2026-01-02', 2))],
          };
          await assert.rejects(store.actions.apply(change, testChange), RangeError);
        }
      }
      assert.deepEqual(await store.actions.readAll(), before);
    });

    test('a large number of actions is read completely and in order', async (t) => {
      await using store = await (await makePlace(t)).open();
      const many = Array.from({ length: 4_001 }, (_, index) => ({
        ...split(`T${String(index % 7)}` as Ticker, '2026-01-02', index + 1),
        exDay: (index - 2_000) as EpochDay,
      }));
      assert.equal((await store.actions.apply({ put: many }, testChange)).length, many.length);
      const sorted = many.toSorted((a, b) =>
        a.ticker === b.ticker ? a.exDay - b.exDay : a.ticker < b.ticker ? -1 : 1,
      );
      assert.deepEqual((await store.actions.readAll()).values, sorted);
    });

    test('a change by another process is visible, and changes no revision of closes', async (t) => {
      const place = await makePlace(t);
      await using server = await place.open();
      await put(server, al30, [close('2026-05-04', 1)]);
      const closes = await server.history.changesSince(0);
      const revision = await server.actions.revision();
      await recordSplit(await place.open());
      assert.equal(await server.actions.revision(), revision + 1);
      assert.deepEqual(await server.history.changesSince(0), closes);
    });
  });
}

/** Changes actions, and gives the keys of those that have changed. */
async function apply(store: Store, change: Parameters<Store['actions']['apply']>[0]) {
  return (await store.actions.apply(change, testChange)).map(({ value }) => keyOf(value));
}

async function recordSplit(opened: Store): Promise<void> {
  await using store = opened;
  await store.actions.apply({ put: [split(al30, '2026-08-24', 10)] }, testChange);
}

function base(ticker: Ticker, date: string) {
  return { ticker, exDay: day(date), source: 'actions.csv' };
}

function split(ticker: Ticker, date: string, factor: number): CorporateAction {
  return { ...base(ticker, date), type: 'split', factor };
}

function keyOf({ ticker, exDay, type }: CorporateAction) {
  return { ticker, exDay, type };
}
