import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { StoreChange } from '../../../src/domain/changes/version.ts';
import type { IssueTerms } from '../../../src/domain/instruments/issue-terms.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { al30, close, put } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';

const [gd30, own] = ['GD30', 'ñandú'] as [Ticker, Ticker];

/** The guarantees of every store about the terms of bonds. */
export function testTerms(name: string, makePlace: MakePlace): void {
  describe(`${name}: terms of bonds`, () => {
    test('a store has no terms until the first record, which raises the revision even if it is empty', async (t) => {
      await using store = await (await makePlace(t)).open();
      assert.deepEqual(await store.terms.readVersions(), []);
      assert.equal(await store.terms.revision(), 0);
      for (const _ of [1, 2]) {
        await store.terms.apply({ remove: [{ ticker: gd30 }] }, by(10));
        assert.equal(await store.terms.revision(), 1);
      }
      assert.deepEqual(await store.terms.readVersions(), []);
    });

    test('what is replaced or removed is kept with the instants and the origins of both changes', async (t) => {
      const place = await makePlace(t);
      const [first, second, other] = [issue(al30, 1), issue(al30, 2), issue(own, 'a "b" ✓')];
      {
        await using store = await place.open();
        await store.terms.apply({ put: [other, first] }, by(10, 'unknown'));
        await store.terms.apply({ put: [second] }, by(20));
        await store.terms.apply({ put: [issue(gd30, 0)], remove: [{ ticker: al30 }] }, by(30));
        await store.terms.apply({ put: [first], remove: [{ ticker: gd30 }] }, by(40));
      }
      await using store = await place.open();
      assert.deepEqual(await store.terms.readVersions(), [
        { value: first, stored: by(10, 'unknown'), replaced: by(20) },
        { value: second, stored: by(20), replaced: by(30) },
        { value: first, stored: by(40) },
        { value: issue(gd30, 0), stored: by(30), replaced: by(40) },
        { value: other, stored: by(10, 'unknown') },
      ]);
    });

    test('each record that changes something raises the revision by one, and equal terms are no change', async (t) => {
      await using store = await (await makePlace(t)).open();
      const both = [issue(al30, 1), issue(gd30, 2)];
      await store.terms.apply({ put: both }, by(10));
      const before = await store.terms.readVersions();
      await store.terms.apply({ put: both, remove: [{ ticker: own }] }, by(20));
      assert.deepEqual(await store.terms.readVersions(), before);
      assert.equal(await store.terms.revision(), 1);
      await store.terms.apply({ put: [issue(al30, 1), issue(gd30, 3)] }, by(30));
      assert.equal(await store.terms.revision(), 2);
      const otherClass = { ...issue(gd30, 3), series: ['GD30D' as Ticker] };
      await store.terms.apply({ put: [otherClass] }, by(40));
      assert.equal(await store.terms.revision(), 3);
      assert.equal((await store.terms.readVersions()).length, 4);
    });

    test('of an issue that is put or removed twice at once, the last terms are stored, and one version is kept', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.terms.apply({ put: [issue(al30, 1), issue(al30, 2)] }, by(10));
      const last = { value: issue(al30, 2), stored: by(10) };
      assert.deepEqual(await store.terms.readVersions(), [last]);
      await store.terms.apply({ remove: [{ ticker: al30 }, { ticker: al30 }] }, by(20));
      assert.deepEqual(await store.terms.readVersions(), [{ ...last, replaced: by(20) }]);
      assert.equal(await store.terms.revision(), 2);
    });

    test('a restore gives exactly the versions, whatever was stored before', async (t) => {
      await using store = await (await makePlace(t)).open();
      await store.terms.restore([]);
      assert.equal(await store.terms.revision(), 0, 'a copy of a store without a record is one');
      await store.terms.apply({ put: [issue(al30, 9)] }, by(1));
      await store.terms.apply({ put: [issue(al30, 8)] }, by(2));
      const versions = [
        { value: issue(al30, 1), stored: by(5, 'unknown'), replaced: by(3) },
        { value: issue(al30, 2), stored: by(3), replaced: by(3) },
        { value: issue(gd30, 3), stored: by(4) },
      ];
      for (const revision of [3, 4]) {
        await store.terms.restore(versions);
        assert.deepEqual(await store.terms.readVersions(), versions);
        assert.equal(await store.terms.revision(), revision);
      }
    });

    test('a change by another process is visible, and changes no revision of closes', async (t) => {
      const place = await makePlace(t);
      await using server = await place.open();
      await put(server, al30, [close('2026-05-04', 1)]);
      const closes = await server.history.changesSince(0);
      {
        await using other = await place.open();
        await other.terms.apply({ put: [issue(gd30, 1)] }, by(10));
      }
      assert.equal(await server.terms.revision(), 1);
      assert.equal((await server.terms.readVersions()).length, 1);
      assert.deepEqual(await server.history.changesSince(0), closes);
    });
  });
}

function by(at: number, origin: StoreChange['origin'] = 'universe'): StoreChange {
  return { at, origin };
}

function issue(ticker: Ticker, factor: number | string): IssueTerms {
  const series = ticker === al30 ? (['AL30D', 'AL30C'] as Ticker[]) : [];
  return { ticker, series, values: { law: 'AR', rates: '2020-09-04=0.125', factor } };
}
