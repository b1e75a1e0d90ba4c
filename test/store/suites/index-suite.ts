import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import type { IndexName } from '../../../src/domain/indices/index-name.ts';
import type { IndexValue } from '../../../src/domain/indices/index-value.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { al30, close, day, put } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';
import { changeAt } from '../../support/market/test-change.ts';

/** The guarantees of every store about the values of indices. */
export function testIndices(name: string, makePlace: MakePlace): void {
  describe(`${name}: indices`, () => {
    test('an empty store has no values', async (t) => {
      await using store = await (await makePlace(t)).open();
      const { values, revision } = await store.indices.readAll();
      assert.deepEqual(values, []);
      assert.equal(revision, await store.indices.revision());
      assert.deepEqual(await store.indices.readReplaced(), []);
    });

    test('values are read back with all fields, by index and day, days to come included', async (t) => {
      const place = await makePlace(t);
      const ordered = [
        value('A3500', '1969-12-31', 0.1 + 0.2),
        value('CER', '2026-11-26', 721.585),
        { ...value('CER', '2099-12-31', 1e9), source: 'Ñandú ✓' },
        value('UVA', '2026-11-26', Number.MIN_VALUE),
      ];
      {
        await using store = await place.open();
        const given = ordered.toReversed();
        const added = given.map((one) => ({ value: one }));
        assert.deepEqual(await store.indices.apply({ put: given }, changeAt(7)), added);
      }
      await using store = await place.open();
      assert.deepEqual((await store.indices.readAll()).values, ordered);
      const stored = ordered.map((one) => ({ value: one, stored: changeAt(7) }));
      assert.deepEqual(await store.indices.readVersions(), stored);
    });

    test('a value that another one replaces is kept with its source and its instants', async (t) => {
      await using store = await (await makePlace(t)).open();
      const [first, second, third] = [1, 2, 3].map((number) => ({
        ...value('CER', '2026-11-26', number),
        source: `source ${number}`,
      })) as [IndexValue, IndexValue, IndexValue];
      await store.indices.apply({ put: [first, value('UVA', '2026-11-26', 9)] }, changeAt(10));
      const gone = { value: first, ...by(10, 20) };
      assert.deepEqual(await store.indices.apply({ put: [second] }, changeAt(20)), [
        { value: second, before: gone },
      ]);
      await store.indices.apply({ put: [third, value('UVA', '2026-11-26', 8)] }, changeAt(20));
      const kept = [gone, { value: second, ...by(20, 20) }];
      const ofUva = { value: value('UVA', '2026-11-26', 9), ...by(10, 20) };
      assert.deepEqual(await store.indices.readReplaced(), [...kept, ofUva]);
      const now = { value: third, stored: changeAt(20) };
      const nowOfUva = { value: value('UVA', '2026-11-26', 8), stored: changeAt(20) };
      const all = [...kept, now, ofUva, nowOfUva];
      assert.deepEqual(await store.indices.readVersions(), all);
    });

    test('each put that changes a value raises the revision by one, and the same number changes nothing', async (t) => {
      await using store = await (await makePlace(t)).open();
      const revision = await store.indices.revision();
      const [one, other] = [value('CER', '2026-11-26', 1), value('CER', '2026-11-27', 2)];
      await store.indices.apply({ put: [one, other] }, changeAt(10));
      assert.equal(await store.indices.revision(), revision + 1);
      const before = await store.indices.readAll();
      const again = [{ ...one, source: 'another source' }, other];
      assert.deepEqual(await store.indices.apply({ put: again }, changeAt(20)), []);
      assert.deepEqual(await store.indices.apply({ put: [] }, changeAt(20)), []);
      assert.deepEqual(await store.indices.readAll(), before);
      await store.indices.apply({ put: [{ ...one, value: 1.000001 }] }, changeAt(30));
      assert.equal(await store.indices.revision(), revision + 2);
    });

    test('of several values of one index and day, the last one is stored, and no other is kept', async (t) => {
      await using store = await (await makePlace(t)).open();
      const twice = [1, 2].map((number) => value('CER', '2026-11-26', number));
      const added = [{ value: twice[1] }];
      assert.deepEqual(await store.indices.apply({ put: twice }, changeAt(10)), added);
      const stored = [{ value: twice[1], stored: changeAt(10) }];
      assert.deepEqual(await store.indices.readVersions(), stored);
    });

    test('a put with an impossible number stores nothing', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.indices.apply({ put: [value('CER', '2026-11-26', 1)] }, changeAt(10));
      const before = await store.indices.readAll();
      for (const number of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 1e10]) {
        const wrong = [value('CER', '2026-11-27', 1), value('CER', '2026-11-26', number)];
        await assert.rejects(store.indices.apply({ put: wrong }, changeAt(20)), RangeError);
      }
      assert.deepEqual(await store.indices.readAll(), before);
    });

    test('a large number of values is read completely and in order', async (t) => {
      await using store = await (await makePlace(t)).open();
      const many = Array.from({ length: 9_001 }, (_, at) => ({
        ...value(at % 2 === 0 ? 'CER' : 'UVA', '1970-01-01', at + 1),
        day: (at - 5_000) as EpochDay,
      }));
      assert.equal((await store.indices.apply({ put: many }, changeAt(10))).length, many.length);
      const sorted = many.toSorted((a, b) =>
        a.index === b.index ? a.day - b.day : a.index < b.index ? -1 : 1,
      );
      assert.deepEqual((await store.indices.readAll()).values, sorted);
      assert.equal(
        (await store.indices.apply({ put: many.map(raised) }, changeAt(20))).length,
        many.length,
      );
      const versions = sorted.flatMap((one) => [
        { value: one, ...by(10, 20) },
        { value: raised(one), stored: changeAt(20) },
      ]);
      assert.deepEqual(await store.indices.readVersions(), versions);
    });

    test('a restore gives exactly the content, whatever was stored before', async (t) => {
      await using store = await (await makePlace(t)).open();
      const old = [value('CER', '2026-11-26', 1), value('BADLAR', '2026-11-26', 5)];
      await store.indices.apply({ put: old }, changeAt(1));
      await store.indices.apply({ put: [value('CER', '2026-11-26', 2)] }, changeAt(2));
      const [fetched, reverted] = [
        { at: 6, origin: 'fetch' },
        { at: 7, origin: 'revert' },
      ] as const;
      const versions = [
        { value: value('CER', '2026-11-26', 7), stored: changeAt(5), replaced: fetched },
        { value: value('CER', '2026-11-26', 4), stored: fetched, replaced: reverted },
        { value: value('CER', '2026-11-26', 3), stored: reverted },
      ];
      const revision = await store.indices.revision();
      for (const times of [1, 2]) {
        await store.indices.restore(versions);
        const values = versions.slice(2).map((one) => one.value);
        assert.deepEqual(await store.indices.readAll(), { revision: revision + times, values });
        assert.deepEqual(await store.indices.readVersions(), versions);
      }
      await store.indices.restore([]);
      assert.deepEqual(await store.indices.readVersions(), []);
    });

    test('a change by another process is visible, and changes no revision of closes', async (t) => {
      const place = await makePlace(t);
      await using server = await place.open();
      await put(server, al30, [close('2026-05-04', 1)]);
      const closes = await server.history.changesSince(0);
      const revision = await server.indices.revision();
      await putOne(await place.open());
      assert.equal(await server.indices.revision(), revision + 1);
      assert.equal((await server.indices.readAll()).values.length, 1);
      assert.deepEqual(await server.history.changesSince(0), closes);
    });

    test('two processes that replace the same value at once keep every value', async (t) => {
      const place = await makePlace(t);
      await using one = await place.open();
      await using other = await place.open();
      const numbers = Array.from({ length: 20 }, (_, at) => at + 1);
      await Promise.all(
        numbers.map((number) =>
          (number % 2 === 0 ? one : other).indices.apply(
            { put: [value('CER', '2026-11-26', number)] },
            changeAt(number),
          ),
        ),
      );
      const versions = await one.indices.readVersions();
      assert.equal(versions.filter(({ replaced }) => replaced === undefined).length, 1);
      assert.deepEqual(
        versions.map((kept) => kept.value.value).toSorted((a, b) => a - b),
        numbers,
      );
    });
  });
}

async function putOne(opened: Store): Promise<void> {
  await using store = opened;
  await store.indices.apply({ put: [value('CER', '2026-11-26', 1)] }, changeAt(10));
}

function value(index: IndexName, date: string, number: number): IndexValue {
  return { index, day: day(date), value: number, source: 'indices.csv' };
}

function raised(one: IndexValue): IndexValue {
  return { ...one, value: one.value + 1 };
}

/** What stored and replaced a value at these instants. */
function by(storedAt: number, replacedAt: number) {
  return { stored: changeAt(storedAt), replaced: changeAt(replacedAt) };
}
