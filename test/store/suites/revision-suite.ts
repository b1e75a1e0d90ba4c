import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { al30, close, mep, put, readRows } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';

/** The guarantees of every store to readers that follow changes of closes. */
export function testRevisions(name: string, makePlace: MakePlace): void {
  describe(`${name}: revisions of history`, () => {
    test('the revision increases with each change, and the changed instruments are listed', async (t) => {
      await using store = await (await makePlace(t)).open();
      const start = await store.history.changesSince(0);
      assert.deepEqual(start.tickers, []);
      await put(store, al30, [close('2026-05-04', 1)]);
      const first = await store.history.changesSince(start.revision);
      assert.ok(first.revision > start.revision);
      assert.deepEqual(first.tickers, [al30]);
      await put(store, mep, [close('2026-05-04', 1)]);
      const second = await store.history.changesSince(first.revision);
      assert.ok(second.revision > first.revision);
      assert.deepEqual(second.tickers, [mep]);
      const both = await store.history.changesSince(start.revision);
      assert.deepEqual(new Set(both.tickers), new Set([al30, mep]));
      assert.equal(both.revision, second.revision);
      assert.deepEqual((await store.history.changesSince(second.revision)).tickers, []);
    });

    test('a change by another process is visible', async (t) => {
      const place = await makePlace(t);
      await using server = await place.open();
      const { revision } = await server.history.changesSince(0);
      {
        await using importer = await place.open();
        await put(importer, al30, [close('2026-05-04', 1)]);
      }
      const changes = await server.history.changesSince(revision);
      assert.deepEqual(changes.tickers, [al30]);
      assert.deepEqual(await readRows(server, al30), [close('2026-05-04', 1)]);
    });

    test('revisions continue to increase after the store is opened again', async (t) => {
      const place = await makePlace(t);
      const seen: number[] = [];
      for (const value of [1, 2, 3]) {
        await using store = await place.open();
        await put(store, al30, [close('2026-05-04', value)]);
        seen.push((await store.history.changesSince(0)).revision);
      }
      assert.deepEqual(
        seen,
        [...new Set(seen)].sort((a, b) => a - b),
      );
    });
  });
}
