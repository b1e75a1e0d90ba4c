import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import type { ChangeOrigin, StoreChange } from '../../../src/domain/changes/version.ts';
import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import type { IndexValue } from '../../../src/domain/indices/index-value.ts';
import type { IssueTerms } from '../../../src/domain/instruments/issue-terms.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import type {
  ActionKey,
  IndexKey,
  TermsKey,
  VersionedStore,
} from '../../../src/store/contract/versioned-stores.ts';
import { al30, close, day, ggal, mep, put } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';

const [gd30, own] = ['GD30', 'ñandú'] as [Ticker, Ticker];

/** A part of a store, and samples of its values. */
interface Sample<T, Key> {
  readonly partOf: (store: Store) => VersionedStore<T, Key>;
  readonly keyOf: (value: T) => Key;
  /** A value of one of three keys, which are in their order. */
  readonly value: (key: 0 | 1 | 2, number: number) => T;
  /** Values of all kinds, ascending by key. */
  readonly ordered: readonly T[];
  /** Values of one key, of which the second one replaces the first one. */
  readonly different: readonly (readonly [T, T])[];
  /** Values of one key, of which the second one is no change. */
  readonly equal: readonly (readonly [T, T])[];
  /** A value of one of many keys, which are in their order. */
  readonly manyOf: (at: number, number: number) => T;
  /** Values that cannot be stored. */
  readonly wrong: readonly T[];
}

/** More values than are read at once. */
const manyCount = 4_001;

const keys = [al30, ggal, own] as const;

function split(ticker: Ticker, factor: number): CorporateAction {
  return { ...base(ticker, '2026-01-02'), type: 'split', factor };
}

function base(ticker: Ticker, date: string) {
  return { ticker, exDay: day(date), source: 'actions.csv' };
}

const dividend = { ...base(ggal, '2026-01-02'), type: 'cash-dividend', currency: 'USD' } as const;
const renamed = { ...base(ggal, '2026-01-02'), type: 'ticker-change' } as const;

const actions: Sample<CorporateAction, ActionKey> = {
  partOf: (store) => store.actions,
  keyOf: ({ ticker, exDay, type }) => ({ ticker, exDay, type }),
  value: (key, number) => split(keys[key], number),
  ordered: [
    split(al30, 10),
    { ...base(ggal, '1969-12-31'), type: 'ratio-change', factor: 2.5 },
    { ...dividend, amount: 0.1 + 0.2 },
    { ...base(ggal, '2026-01-02'), type: 'rights-issue', factor: 1.1 },
    { ...base(ggal, '2026-01-02'), type: 'spin-off', factor: 2.376 },
    split(ggal, 0.1),
    { ...base(ggal, '2026-01-02'), type: 'stock-dividend', factor: 1.09, source: 'Ñandú ✓' },
    { ...renamed, newTicker: mep },
    { ...split(ggal, 3), exDay: day('2026-01-03') },
  ],
  different: [
    [split(al30, 2), split(al30, 3)],
    [split(al30, 5), { ...split(al30, 5), source: 'other' }],
    [
      { ...dividend, amount: 1 },
      { ...dividend, amount: 2 },
    ],
    [
      { ...dividend, amount: 2 },
      { ...dividend, amount: 2, currency: 'ARS' },
    ],
    [
      { ...renamed, newTicker: al30 },
      { ...renamed, newTicker: mep },
    ],
  ],
  equal: [],
  manyOf: (at, number) => {
    const ticker = `T${Math.floor(at / 1_000)}` as Ticker;
    return { ...split(ticker, number), exDay: (at - 2_000) as EpochDay };
  },
  wrong: [Number.NaN, 0, -1, Number.POSITIVE_INFINITY].flatMap((number) => [
    split(mep, number),
    { ...dividend, amount: number },
  ]),
};

function cer(date: string, number: number): IndexValue {
  return { index: 'CER', day: day(date), value: number, source: 'indices.csv' };
}

const indices: Sample<IndexValue, IndexKey> = {
  partOf: (store) => store.indices,
  keyOf: ({ index, day: of }) => ({ index, day: of }),
  value: (key, number) =>
    key === 2
      ? { ...cer('2026-11-26', number), index: 'UVA' }
      : cer(key === 0 ? '2026-11-26' : '2099-12-31', number),
  ordered: [
    { ...cer('1969-12-31', 0.1 + 0.2), index: 'A3500' },
    cer('2026-11-26', 721.585),
    { ...cer('2099-12-31', 1e9), source: 'Ñandú ✓' },
    { ...cer('2026-11-26', Number.MIN_VALUE), index: 'UVA' },
  ],
  different: [[cer('2026-11-26', 1), cer('2026-11-26', 1.000001)]],
  equal: [[cer('2026-11-26', 1), { ...cer('2026-11-26', 1), source: 'another source' }]],
  manyOf: (at, number) => ({
    ...cer('1970-01-01', number),
    index: at < 2_500 ? 'CER' : 'UVA',
    day: (at - 2_000) as EpochDay,
  }),
  wrong: [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 1e10].map((number) =>
    cer('2026-11-27', number),
  ),
};

function issue(ticker: Ticker, factor: number | string): IssueTerms {
  const series = ticker === al30 ? (['AL30D', 'AL30C'] as Ticker[]) : [];
  return { ticker, series, values: { law: 'AR', rates: '2020-09-04=0.125', factor } };
}

const terms: Sample<IssueTerms, TermsKey> = {
  partOf: (store) => store.terms,
  keyOf: ({ ticker }) => ({ ticker }),
  value: (key, number) => issue(keys[key], number),
  ordered: [issue(al30, 1), issue(gd30, 2.5), issue(own, 'a "b" ✓')],
  different: [
    [issue(gd30, 2), issue(gd30, 3)],
    [issue(gd30, 3), { ...issue(gd30, 3), series: ['GD30D' as Ticker] }],
  ],
  equal: [],
  manyOf: (at, number) => issue(`T${1_000 + at}` as Ticker, number),
  wrong: [],
};

/** The guarantees of every store about the values that remember what replaced them. */
export function testVersioned(name: string, makePlace: MakePlace): void {
  describe(`${name}: corporate actions`, () => testPart(actions, makePlace));
  describe(`${name}: indices`, () => testPart(indices, makePlace));
  describe(`${name}: terms of bonds`, () => {
    testPart(terms, makePlace);

    test('the first change raises the revision even if it is empty, and an empty copy is none', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.terms.restore([]);
      assert.equal(await store.terms.revision(), 0);
      for (const _ of [1, 2]) {
        await store.terms.apply({ remove: [{ ticker: gd30 }] }, by(10));
        assert.equal(await store.terms.revision(), 1);
      }
      assert.deepEqual(await store.terms.readVersions(), []);
    });
  });
}

function testPart<T, Key>(sample: Sample<T, Key>, makePlace: MakePlace): void {
  const { partOf, keyOf, value } = sample;

  test('an empty store has no values', async (t) => {
    await using store = await (await makePlace(t)).open();
    const part = partOf(store);
    assert.deepEqual(await part.readAll(), { revision: await part.revision(), values: [] });
    assert.deepEqual(await part.readVersions(), []);
    assert.deepEqual(await part.readReplaced(), []);
  });

  test('values are read back with all fields, in the order of their keys', async (t) => {
    const place = await makePlace(t);
    const { ordered } = sample;
    {
      await using store = await place.open();
      const given = ordered.toReversed();
      const added = given.map((one) => ({ value: one }));
      assert.deepEqual(await partOf(store).apply({ put: given }, by(7)), added);
    }
    await using store = await place.open();
    assert.deepEqual((await partOf(store).readAll()).values, ordered);
    const versions = ordered.map((one) => ({ value: one, stored: by(7) }));
    assert.deepEqual(await partOf(store).readVersions(), versions);
  });

  test('what is replaced or removed is kept with the instants and the origins of both changes', async (t) => {
    const place = await makePlace(t);
    const [first, second, other, gone] = [value(0, 1), value(0, 2), value(2, 1), value(1, 1)];
    {
      await using store = await place.open();
      const part = partOf(store);
      await part.apply({ put: [other, first] }, by(10, 'unknown'));
      await part.apply({ put: [second] }, by(20, 'fetch'));
      await part.apply({ put: [gone], remove: [keyOf(second)] }, by(30, 'remove'));
      await part.apply({ put: [first], remove: [keyOf(gone)] }, by(40));
    }
    await using store = await place.open();
    const part = partOf(store);
    const versions = [
      { value: first, stored: by(10, 'unknown'), replaced: by(20, 'fetch') },
      { value: second, stored: by(20, 'fetch'), replaced: by(30, 'remove') },
      { value: first, stored: by(40) },
      { value: gone, stored: by(30, 'remove'), replaced: by(40) },
      { value: other, stored: by(10, 'unknown') },
    ];
    assert.deepEqual(await part.readVersions(), versions);
    const ended = versions.filter(({ replaced }) => replaced !== undefined);
    assert.deepEqual(await part.readReplaced(), ended);
    assert.deepEqual((await part.readAll()).values, [first, other]);
  });

  test('a change gives what it has changed, with what was stored before', async (t) => {
    await using store = await (await makePlace(t)).open();
    const part = partOf(store);
    const [first, second, bystander] = [value(0, 1), value(0, 2), value(1, 1)];
    assert.deepEqual(await part.apply({ put: [first] }, by(10)), [{ value: first }]);
    assert.deepEqual(await part.apply({ put: [bystander, second] }, by(20)), [
      { value: bystander },
      { value: second, before: { value: first, stored: by(10), replaced: by(20) } },
    ]);
    const gone = { remove: [keyOf(second)] };
    assert.deepEqual(await part.apply(gone, by(30)), [
      { value: second, before: { value: second, stored: by(20), replaced: by(30) } },
    ]);
    assert.deepEqual(await part.apply(gone, by(40)), []);
    assert.deepEqual((await part.readAll()).values, [bystander]);
  });

  test('a value is removed by its whole key, and no other one', async (t) => {
    await using store = await (await makePlace(t)).open();
    const part = partOf(store);
    const left = [...sample.ordered];
    await part.apply({ put: left }, by(10));
    for (const gone of sample.ordered.toReversed()) {
      await part.apply({ remove: [keyOf(gone)] }, by(20));
      assert.deepEqual(left.pop(), gone);
      assert.deepEqual((await part.readAll()).values, left);
    }
  });

  test('each change raises the revision by one, and an equal value is no change', async (t) => {
    await using store = await (await makePlace(t)).open();
    const part = partOf(store);
    const both = [value(0, 1), value(1, 1)];
    await part.apply({ put: both }, by(10));
    assert.equal(await part.revision(), 1);
    const before = await part.readVersions();
    const absent = keyOf(value(2, 1));
    for (const change of [{ put: both }, { put: [] }, { remove: [absent] }]) {
      assert.deepEqual(await part.apply(change, by(20)), []);
    }
    assert.deepEqual(await part.readVersions(), before);
    assert.equal(await part.revision(), 1);
    const same = sample.equal.map(([one, other]) => [one, other, 0] as const);
    const changed = sample.different.map(([one, other]) => [one, other, 1] as const);
    for (const [one, other, count] of [...same, ...changed]) {
      await part.apply({ put: [one] }, by(30));
      const revision = await part.revision();
      assert.deepEqual(await part.apply({ put: [one] }, by(40)), []);
      assert.equal((await part.apply({ put: [other] }, by(50))).length, count);
      assert.equal(await part.revision(), revision + count);
    }
  });

  test('of a key that is put or removed twice at once, the last value is stored, and one version is kept', async (t) => {
    await using store = await (await makePlace(t)).open();
    const part = partOf(store);
    const last = value(0, 2);
    assert.deepEqual(await part.apply({ put: [value(0, 1), last] }, by(10)), [{ value: last }]);
    assert.deepEqual(await part.readVersions(), [{ value: last, stored: by(10) }]);
    const twice = { remove: [keyOf(last), keyOf(last)] };
    const version = { value: last, stored: by(10), replaced: by(20) };
    assert.deepEqual(await part.apply(twice, by(20)), [{ value: last, before: version }]);
    assert.deepEqual(await part.readVersions(), [version]);
    assert.deepEqual(await part.readAll(), { revision: 2, values: [] });
  });

  if (sample.wrong.length > 0) {
    test('a change with an impossible value stores nothing', async (t) => {
      await using store = await (await makePlace(t)).open();
      const part = partOf(store);
      await part.apply({ put: [value(0, 1)] }, by(10));
      const before = await part.readAll();
      for (const wrong of sample.wrong) {
        const change = { put: [value(1, 1), wrong], remove: [keyOf(value(0, 1))] };
        await assert.rejects(part.apply(change, by(20)), RangeError);
      }
      assert.deepEqual(await part.readAll(), before);
    });
  }

  test('a large number of values is read completely and in order', async (t) => {
    await using store = await (await makePlace(t)).open();
    const part = partOf(store);
    const all = Array.from({ length: manyCount }, (_, at) => at);
    const [first, second] = [1, 2].map((number) => all.map((at) => sample.manyOf(at, number)));
    assert.ok(first !== undefined && second !== undefined);
    const changed = await part.apply({ put: first.toReversed() }, by(10));
    assert.equal(changed.length, manyCount);
    assert.deepEqual((await part.readAll()).values, first);
    // The first value has one version, so some of the versions that are read at once end between two of one key.
    await part.apply({ put: second.slice(1) }, by(20));
    const versions = first.flatMap((one, at) =>
      at === 0
        ? [{ value: one, stored: by(10) }]
        : [
            { value: one, stored: by(10), replaced: by(20) },
            { value: second[at], stored: by(20) },
          ],
    );
    assert.deepEqual(await part.readVersions(), versions);
  });

  test('a restore gives exactly the versions, whatever was stored before', async (t) => {
    await using store = await (await makePlace(t)).open();
    const part = partOf(store);
    await part.apply({ put: [value(0, 9), value(2, 9)] }, by(1));
    await part.apply({ put: [value(0, 8)] }, by(2));
    const versions = [
      { value: value(0, 1), stored: by(5, 'unknown'), replaced: by(3) },
      { value: value(0, 2), stored: by(3), replaced: by(3, 'revert') },
      { value: value(1, 3), stored: by(4) },
    ];
    for (const revision of [3, 4]) {
      await part.restore(versions);
      assert.deepEqual(await part.readVersions(), versions);
      assert.deepEqual(await part.readAll(), { revision, values: [value(1, 3)] });
    }
    await part.restore([]);
    assert.deepEqual(await part.readVersions(), []);
  });

  test('a change by another process is visible, and changes no revision of closes', async (t) => {
    const place = await makePlace(t);
    await using server = await place.open();
    await put(server, al30, [close('2026-05-04', 1)]);
    const closes = await server.history.changesSince(0);
    {
      await using other = await place.open();
      await partOf(other).apply({ put: [value(0, 1)] }, by(10));
    }
    assert.deepEqual(await partOf(server).readAll(), { revision: 1, values: [value(0, 1)] });
    assert.equal(await partOf(server).revision(), 1);
    assert.deepEqual(await server.history.changesSince(0), closes);
  });

  test('two processes that replace the same value at once keep every value', async (t) => {
    const place = await makePlace(t);
    await using one = await place.open();
    await using other = await place.open();
    const numbers = Array.from({ length: 20 }, (_, at) => at + 1);
    const changes = numbers.map((number) => {
      const part = partOf(number % 2 === 0 ? one : other);
      return part.apply({ put: [value(0, number)] }, by(number));
    });
    await Promise.all(changes);
    const versions = await partOf(one).readVersions();
    assert.equal(versions.filter(({ replaced }) => replaced === undefined).length, 1);
    const kept = new Set(versions.map((version) => version.value));
    assert.deepEqual(kept, new Set(numbers.map((number) => value(0, number))));
  });
}

function by(at: number, origin: ChangeOrigin = 'import'): StoreChange {
  return { at, origin };
}
