import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import * as fc from 'fast-check';

import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import type { EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { valuesAt, type ChangeOrigin } from '../../../src/domain/changes/version.ts';
import type { CloseVersion } from '../../../src/domain/history/versions.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { ChangeStamp } from '../../../src/store/contract/history-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { al30, allDays, close, day, ggal, mep } from '../close-samples.ts';
import { publishedVersions } from '../published-versions.ts';
import type { MakePlace } from '../store-place.ts';

/** The guarantees of every store about its memory of changes. */
export function testMemory(name: string, makePlace: MakePlace): void {
  describe(`${name}: memory of closes`, () => {
    test('a first close has the instant and the origin of its transaction, and replaces nothing', async (t) => {
      await using store = await (await makePlace(t)).open();
      await putAt(store, 10, al30, [close('2026-05-04', 1)]);
      assert.deepEqual(await store.memory.readCloses(al30, allDays), [
        { value: close('2026-05-04', 1), stored: { at: 10, origin: 'import' } },
      ]);
    });

    test('the instant is read when the work of the transaction is done', async (t) => {
      await using store = await (await makePlace(t)).open();
      let now = 1;
      await store.history.transaction(
        async (transaction) => {
          await transaction.put(al30, [close('2026-05-04', 1)]);
          now = 2;
        },
        { origin: 'fetch', now: () => now },
      );
      const [version] = await store.memory.readCloses(al30, allDays);
      assert.deepEqual(version?.stored, { at: 2, origin: 'fetch' });
    });

    test('a close that another one replaces is kept with all its fields, its source and both changes', async (t) => {
      await using store = await (await makePlace(t)).open();
      const first: DailyClose = {
        ...close('2026-05-04', 0.1 + 0.2, 5),
        open: 1,
        high: 2,
        low: 0.25,
        source: 'import:ñ.csv',
      };
      const second = { ...close('2026-05-04', 7), source: 'byma' };
      const third = { ...second, source: 'confirmed:byma' };
      await putAt(store, 10, al30, [first, close('2026-05-05', 9)]);
      await putAt(store, 20, al30, [second], 'fetch');
      await putAt(store, 30, al30, [third], 'confirm');
      const [a, b, c] = [by(10, 'import'), by(20, 'fetch'), by(30, 'confirm')];
      assert.deepEqual(await store.memory.readCloses(al30, allDays), [
        { value: first, stored: a, replaced: b },
        { value: second, stored: b, replaced: c },
        { value: third, stored: c },
        { value: close('2026-05-05', 9), stored: a },
      ]);
      const range = { from: day('2026-05-05'), to: day('2026-05-06') };
      assert.deepEqual(await store.memory.readCloses(al30, range), [
        { value: close('2026-05-05', 9), stored: a },
      ]);
    });

    test('a difference in any single field is kept, and an equal close changes nothing', async (t) => {
      await using store = await (await makePlace(t)).open();
      const fields = { volume: 1, open: 1, high: 1, low: 1, source: 'a' };
      const others = [
        { close: 2 },
        { volume: 2 },
        { volume: null },
        { open: 2 },
        { high: 2 },
        { low: 2 },
        { source: 'b' },
      ];
      const first: DailyClose = { ...close('2026-05-04', 1), ...fields };
      const changed = others.map((_, at) =>
        Object.assign({}, first, ...others.slice(0, at + 1)),
      ) as readonly DailyClose[];
      const { low: _low, ...withoutLow } = changed.at(-1) ?? first;
      const { source: _source, ...bare } = withoutLow;
      for (const [index, one] of [first, ...changed, withoutLow, bare].entries()) {
        const { revision } = await store.history.changesSince(0);
        await putAt(store, 200 + index, al30, [one]);
        assert.deepEqual((await store.history.changesSince(revision)).tickers, [al30]);
        const before = await store.history.changesSince(0);
        await putAt(store, 300 + index, al30, [one]);
        await putAt(store, 300 + index, al30, []);
        assert.deepEqual(await store.history.changesSince(0), before);
        const versions = await store.memory.readCloses(al30, allDays);
        assert.equal(versions.length, index + 1);
        assert.deepEqual(versions.at(-1), { value: one, stored: by(200 + index, 'import') });
      }
    });

    test('many corrections at once are kept, each under its instrument', async (t) => {
      await using store = await (await makePlace(t)).open();
      const days = Array.from({ length: 300 }, (_, index) => (day('2020-01-01') + index) as never);
      for (const at of [1, 2, 3]) {
        const closes = days.map((one): DailyClose => ({ day: one, close: at, volume: null }));
        await putAt(store, at, al30, closes);
        await putAt(store, at, ggal, closes.slice(0, 10));
      }
      for (const [at, counts] of [
        [0, [0, 0, 0]],
        [1, [10, 0, 300]],
        [3, [10, 0, 300]],
      ] as const) {
        assert.deepEqual(await store.memory.countCloses([ggal, mep, al30], allDays, at), counts);
      }
      const last = { from: (day('2020-01-01') + 298) as EpochDay, to: allDays.to };
      assert.deepEqual(await store.memory.countCloses([al30], last, 2), [2]);
      const versions = await store.memory.readCloses(al30, allDays);
      assert.deepEqual(
        versions.map(({ value, stored, replaced }) => [
          value.day,
          value.close,
          stored.at,
          replaced?.at,
        ]),
        days.flatMap((one) => [
          [one, 1, 1, 2],
          [one, 2, 2, 3],
          [one, 3, 3, undefined],
        ]),
      );
      assert.equal((await store.memory.readCloses(ggal, allDays)).length, 30);
      assert.deepEqual(await store.memory.readCloses(mep, allDays), []);
    });

    test('of several closes of a day in one transaction, only the last one was ever visible', async (t) => {
      await using store = await (await makePlace(t)).open();
      const values = async () =>
        (await store.memory.readCloses(al30, allDays)).map(({ value }) => value.close);
      await putAt(store, 1, al30, [close('2026-05-04', 1), close('2026-05-04', 2)]);
      assert.deepEqual(await values(), [2]);
      await store.history.transaction(async (transaction) => {
        await transaction.put(al30, [close('2026-05-04', 3)]);
        await transaction.put(al30, [close('2026-05-04', 4)]);
      }, stampAt(2));
      assert.deepEqual(await values(), [2, 4]);
      const before = await store.memory.readCloses(al30, allDays);
      await store.history.transaction(async (transaction) => {
        await transaction.put(al30, [close('2026-05-04', 5)]);
        await transaction.put(al30, [close('2026-05-04', 4)]);
      }, stampAt(3));
      assert.deepEqual(await store.memory.readCloses(al30, allDays), before, 'put back');
    });

    test('a transaction that fails leaves nothing in the memory', async (t) => {
      await using store = await (await makePlace(t)).open();
      await putAt(store, 1, al30, [close('2026-05-04', 1)]);
      const before = await store.memory.readCloses(al30, allDays);
      const failing = store.history.transaction(async (transaction) => {
        await transaction.put(al30, [close('2026-05-04', 2)]);
        throw new Error('no');
      }, stampAt(2));
      await assert.rejects(failing, /no/);
      assert.deepEqual(await store.memory.readCloses(al30, allDays), before);
    });

    test('a session that replaces a close keeps it', async (t) => {
      await using store = await (await makePlace(t)).open();
      await putAt(store, 1, al30, [close('2026-05-04', 1)]);
      const own = { ...close('2026-05-04', 2), source: 'session' };
      const added = { ...close('2026-05-05', 3), source: 'session' };
      const closes = [own, added].map((one) => ({ ticker: al30, close: one }));
      for (const storedAt of [5, 6]) await store.quotes.commit({ quotes: [], closes, storedAt });
      const session = by(5, 'session');
      assert.deepEqual(await store.memory.readCloses(al30, allDays), [
        { value: close('2026-05-04', 1), stored: by(1, 'import'), replaced: session },
        { value: own, stored: session },
        { value: added, stored: session },
      ]);
    });

    test('another process sees the memory, and the earliest instant of each instrument', async (t) => {
      const place = await makePlace(t);
      await using store = await place.open();
      await putAt(store, 30, al30, [close('2026-05-04', 1)]);
      await putAt(store, 20, al30, [close('2026-05-04', 2), close('2026-05-05', 2)]);
      await putAt(store, 40, ggal, [close('2026-05-04', 1)]);
      await using other = await place.open();
      assert.equal(await other.memory.knownSince(al30), 20);
      assert.equal(await other.memory.knownSince(ggal), 40);
      assert.equal(await other.memory.knownSince(mep), undefined);
      const began = await other.memory.began();
      assert.ok(began !== undefined && began > Date.UTC(2026, 0, 1));
      assert.deepEqual(
        await other.memory.readCloses(al30, allDays),
        await store.memory.readCloses(al30, allDays),
      );
    });

    test('what is restored has the memory of the other store, and nothing of its own', async (t) => {
      await using source = await (await makePlace(t)).open();
      await using target = await (await makePlace(t)).open();
      await putAt(source, 10, al30, [close('2026-05-04', 1, 5), close('2026-05-06', 1)]);
      await putAt(source, 20, al30, [{ ...close('2026-05-04', 2), source: 'x' }], 'fetch');
      await putAt(source, 30, al30, [close('2026-05-04', 3)], 'revert');
      await putAt(target, 40, al30, [close('2026-05-04', 8)]);
      await putAt(target, 50, al30, [close('2026-05-04', 9), close('2026-05-07', 9)]);
      const versions = await source.memory.readCloses(al30, allDays);
      for (const _ of ['first', 'again']) {
        const { revision } = await target.history.changesSince(0);
        await restore(target, al30, versions);
        assert.deepEqual(await target.memory.readCloses(al30, allDays), versions);
        assert.deepEqual(
          await target.history.readCloses(al30, allDays),
          await source.history.readCloses(al30, allDays),
        );
        assert.deepEqual((await target.history.changesSince(revision)).tickers, [al30]);
      }
      // The memory goes on.
      await putAt(target, 60, al30, [close('2026-05-04', 4)]);
      const after = await target.memory.readCloses(al30, allDays);
      assert.deepEqual(after.slice(0, 3), [
        ...versions.slice(0, 2),
        { ...versions[2], replaced: by(60, 'import') },
      ]);
    });

    test('after each of many imports, the closes as known then are those of that import', async (t) => {
      await using store = await (await makePlace(t)).open();
      await fc.assert(
        fc.asyncProperty(publishedVersions, async (versions) => {
          const ticker = `T${(await store.history.changesSince(0)).revision}` as Ticker;
          for (const { at, closes } of versions) await putAt(store, at, ticker, closes);
          const kept = await store.memory.readCloses(ticker, allDays);
          for (const [index, { at }] of versions.entries()) {
            const until = (versions[index + 1]?.at ?? at + 2) - 1;
            const published = unionOf(versions.slice(0, index + 1));
            for (const instant of [at, until]) {
              assert.deepEqual(valuesAt(kept, instant, dayOf), published);
            }
          }
          assert.deepEqual(valuesAt(kept, (versions[0]?.at ?? 0) - 1, dayOf), []);
        }),
        { numRuns: 15 },
      );
    });
  });
}

function by(at: number, origin: ChangeOrigin) {
  return { at, origin };
}

function stampAt(at: number, origin: ChangeOrigin = 'import'): ChangeStamp {
  return { origin, now: () => at };
}

function putAt(
  store: Store,
  at: number,
  ...[ticker, closes, origin]: [Ticker, readonly DailyClose[], ChangeOrigin?]
): Promise<void> {
  const put = { ticker, closes };
  return store.history.transaction(
    (transaction) => transaction.put(put.ticker, put.closes),
    stampAt(at, origin),
  );
}

function restore(store: Store, ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
  return store.history.transaction(
    (transaction) => transaction.restore(ticker, versions),
    stampAt(0),
  );
}

function dayOf(one: DailyClose): number {
  return one.day;
}

/** The closes after all of these imports, by day. */
function unionOf(versions: readonly { readonly closes: readonly DailyClose[] }[]) {
  const byDay = new Map(versions.flatMap(({ closes }) => closes).map((one) => [one.day, one]));
  return [...byDay.values()].toSorted((a, b) => a.day - b.day);
}
