import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Store } from '../../../src/store/contract/store.ts';
import { al30, allDays, close, mep, put, readRows } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';
import { testStamp } from '../../support/market/test-change.ts';

/** The guarantees of every store to writers of closes. */
export function testTransactions(name: string, makePlace: MakePlace): void {
  describe(`${name}: transactions of history`, () => {
    test('a transaction is invisible before its commit and wholly visible after it', async (t) => {
      const place = await makePlace(t);
      await using writing = await place.open();
      await using other = await place.open();
      await writing.history.transaction(async (transaction) => {
        await transaction.put(al30, [close('2026-05-04', 1)]);
        await transaction.put(mep, [close('2026-05-04', 2)]);
        for (const store of [writing, other]) {
          assert.equal((await store.history.latestCloses([al30, mep])).size, 0);
        }
      }, testStamp);
      for (const store of [writing, other]) {
        assert.equal((await store.history.latestCloses([al30, mep])).size, 2);
      }
    });

    test('a transaction reads its own puts', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [close('2026-05-04', 1)]);
      const rows = await store.history.transaction(async (transaction) => {
        await transaction.put(al30, [close('2026-05-05', 2)]);
        return transaction.read(al30, allDays);
      }, testStamp);
      assert.deepEqual(rows, [close('2026-05-04', 1), close('2026-05-05', 2)]);
    });

    test('a transaction whose work rejects stores nothing, and the next one succeeds', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [close('2026-05-04', 1)]);
      const before = await store.history.changesSince(0);
      // It has a code, as a refusal of a file has. That must not make it a fault of the store.
      const why = Object.assign(new Error('the file ended in the middle of a row'), {
        code: 'cut-off',
      });
      await assert.rejects(
        store.history.transaction(async (transaction) => {
          await transaction.put(al30, [close('2026-05-04', 9)]);
          await transaction.put(mep, [close('2026-05-04', 2)]);
          throw why;
        }, testStamp),
        (error) => error === why,
      );
      assert.deepEqual(await readRows(store, al30), [close('2026-05-04', 1)]);
      assert.deepEqual(await store.history.changesSince(0), before);
      await put(store, mep, [close('2026-05-04', 3)]);
      assert.deepEqual(await readRows(store, mep), [close('2026-05-04', 3)]);
    });

    test('after a failed put a transaction is not committed, even when the work continues', async (t) => {
      await using store = await (await makePlace(t)).open();
      await assert.rejects(
        store.history.transaction(async (transaction) => {
          await transaction.put(al30, [close('2026-05-04', 1)]);
          await transaction.put(al30, [close('2026-05-05', Number.NaN)]).catch(() => {});
        }, testStamp),
        RangeError,
      );
      assert.equal((await store.history.latestCloses([al30])).size, 0);
    });

    test('transactions of one writer run one after another', async (t) => {
      await using store = await (await makePlace(t)).open();
      const log: string[] = [];
      const one = (label: string) =>
        store.history.transaction(async (transaction) => {
          log.push(`${label} begins`);
          const rows = await transaction.read(al30, allDays);
          await new Promise(setImmediate);
          await transaction.put(al30, [close('2026-05-04', (rows[0]?.close ?? 0) + 1)]);
          log.push(`${label} ends`);
        }, testStamp);
      await Promise.all([one('a'), one('b'), one('c')]);
      assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
      assert.deepEqual(await readRows(store, al30), [close('2026-05-04', 3)]);
    });

    test('transactions of two processes do not lose changes of each other', async (t) => {
      const place = await makePlace(t);
      await using first = await place.open();
      await using second = await place.open();
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => increment(index % 2 === 0 ? first : second)),
      );
      assert.deepEqual(await readRows(first, al30), [close('2026-05-04', 20)]);
    });

    test('the methods of a transaction reject after its end', async (t) => {
      await using store = await (await makePlace(t)).open();
      const kept = await store.history.transaction(async (transaction) => transaction, testStamp);
      await assert.rejects(kept.put(al30, [close('2026-05-04', 1)]), /has ended/);
      await assert.rejects(kept.read(al30, allDays), /has ended/);
    });

    test('closing the store waits for pending transactions', async (t) => {
      const place = await makePlace(t);
      const store = await place.open();
      const pending = put(store, al30, [close('2026-05-04', 1)]);
      await store[Symbol.asyncDispose]();
      await pending;
      await using again = await place.open();
      assert.deepEqual(await readRows(again, al30), [close('2026-05-04', 1)]);
    });
  });
}

async function increment(store: Store): Promise<void> {
  await store.history.transaction(async (transaction) => {
    const [row] = await transaction.read(al30, allDays);
    await new Promise(setImmediate);
    await transaction.put(al30, [close('2026-05-04', (row?.close ?? 0) + 1)]);
  }, testStamp);
}
