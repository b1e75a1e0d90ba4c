import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import * as fc from 'fast-check';

import { canonical, checkStore, checkStores } from '../../src/operator/store/compare-stores.ts';
import { copyStore } from '../../src/operator/store/copy-store.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { testChange } from '../support/market/test-change.ts';
import { close, ggal, put } from './close-samples.ts';
import { directories, fill } from './filled-store.ts';
import { installations, type Installation } from './installation-samples.ts';

test('a copy of a data directory is equal row by row, and has the same digests', async (t) => {
  const directory = await directories(t);
  await fc.assert(
    fc.asyncProperty(installations, async (installation) => {
      const [from, to] = [directory(), directory()];
      await fill(from, installation);
      const copy = await copyStore({ from, to });
      assert.deepEqual(copy.differences, []);
      const rows = Object.fromEntries(copy.tables.map((one) => [one.table, one.rows]));
      assert.equal(rows['closes'], installation.instruments.flatMap((one) => one.closes).length);
      const [corrected] = installation.instruments;
      const replaced = 2 * (corrected?.closes.length ?? 0);
      assert.equal(rows['changes of closes'], (rows['closes'] ?? 0) + replaced);
      assert.equal(rows['changes of actions'], 2 * installation.actions.length);
      const { length: issues } = installation.instruments;
      assert.equal(rows['changes of terms'], issues);
      assert.equal(rows['terms'], Math.max(0, issues - 1));
      assert.equal(rows['bars'], installation.instruments.flatMap((one) => one.bars).length);
      assert.equal(rows['quotes'], installation.instruments.length);
      const days = new Set(installation.indices.map(({ index, day }) => `${index} ${day}`));
      assert.equal(rows['indices'], days.size);
      assert.equal(rows['keys'], installation.keys.length);
      assert.equal(rows['audit log'], installation.events.length);
      const [a, b] = [await checkStore(from), await checkStore(to)];
      assert.deepEqual(a.tables, b.tables);
    }),
    { numRuns: 8 },
  );
});

describe('a copy is refused', () => {
  test('to a place that has data, which stays as it is', async (t) => {
    const directory = await directories(t);
    const [from, to] = [directory(), directory()];
    const [one, other] = fc.sample(installations.filter(isNotEmpty), { numRuns: 2, seed: 1 });
    await fill(from, one as Installation);
    await fill(to, other as Installation);
    const before = await checkStore(to);
    await assert.rejects(copyStore({ from, to }), /has data already, and is not overwritten/);
    assert.deepEqual((await checkStore(to)).tables, before.tables);
  });

  test('to a place whose only values were removed, because their versions are kept', async (t) => {
    const directory = await directories(t);
    const [from, to] = [directory(), directory()];
    await fill(from, { instruments: [], actions: [], indices: [], keys: [], events: [] });
    {
      await using target = openPlace(to);
      await using store = await target.open({ mode: 'create' });
      const terms = { ticker: ggal, series: [], values: { law: 'AR' } };
      await store.terms.apply({ put: [terms] }, testChange);
      await store.terms.apply({ remove: [terms] }, testChange);
    }
    await assert.rejects(copyStore({ from, to }), /has data already, and is not overwritten/);
  });

  test('to or from a place on which a service runs', async (t) => {
    const directory = await directories(t);
    const [from, to] = [directory(), directory()];
    await fill(from, { instruments: [], actions: [], indices: [], keys: [], events: [] });
    await using served = openPlace(from);
    await using claim = await served.claim({ id: 'service', name: 'here' });
    await assert.rejects(copyStore({ from, to }), /A service runs on .*\. Stop it first/);
    await assert.rejects(copyStore({ from: to, to: from }), /A service runs on/);
    assert.equal(claim.lost.aborted, false);
  });

  test('from a place without a store, and nothing is created', async (t) => {
    const directory = await directories(t);
    const to = directory();
    await assert.rejects(copyStore({ from: directory(), to }), { code: 'absent' });
    await assert.rejects(checkStore(to), { code: 'absent' });
  });
});

test('a comparison names each row that differs, and which store lacks it', async (t) => {
  const directory = await directories(t);
  const [one, other] = [directory(), directory()];
  const stores = [
    [one, [close('2026-11-18', 1), close('2026-11-19', 2)]],
    [other, [close('2026-11-19', 3), close('2026-11-20', 4)]],
  ] as const;
  for (const [at, closes] of stores) {
    await using place = openPlace(at);
    await using store = await place.open({ mode: 'create' });
    await put(store, ggal, closes);
  }
  const { tables, differences } = await checkStores(one, other);
  assert.equal(tables.find(({ table }) => table === 'closes')?.different, 3);
  const ofCloses = differences.filter((text) => text.startsWith('closes: '));
  assert.deepEqual(ofCloses, [
    'closes: GGAL day 20775 is missing in the second',
    'closes: GGAL day 20776 is {"close":2,"day":20776,"volume":null} in the first, {"close":3,"day":20776,"volume":null} in the second',
    'closes: GGAL day 20777 is missing in the first',
  ]);
});

test('the order of members and absent members make no difference', () => {
  assert.equal(canonical({ b: 1, a: { d: [2], c: undefined } }), '{"a":{"d":[2]},"b":1}');
});

function isNotEmpty({ instruments }: Installation): boolean {
  return instruments.length > 0;
}
