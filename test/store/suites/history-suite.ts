import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import * as fc from 'fast-check';

import { emptySeries, type DailyClose } from '../../../src/domain/history/daily-close.ts';
import type { EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { closeOn } from '../../support/market/close-on.ts';
import { al30, allDays, close, day, ggal, mep, put, readRows, session } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';
import { testStamp } from '../../support/market/test-change.ts';

/** The guarantees of every store to readers of closes. */
export function testHistory(name: string, makePlace: MakePlace): void {
  describe(`${name}: history`, () => {
    test('a ticker without history has no rows', async (t) => {
      await using store = await (await makePlace(t)).open();
      assert.deepEqual(await store.history.readSeries(al30, allDays), emptySeries);
      assert.equal((await store.history.latestCloses([al30])).size, 0);
      assert.deepEqual(await store.history.referenceCloses([session(al30, '2026-05-04')]), [{}]);
    });

    test('closes are read back exactly as they were put', async (t) => {
      await using store = await (await makePlace(t)).open();
      const closes = [
        {
          ...close('2026-05-04', 0.1 + 0.2),
          volume: 1_234_567.25,
          open: 1,
          high: 1e15,
          low: 5e-9,
          source: 'import:Cotización, 2026.csv',
        },
        { ...close('2026-05-05', -3.5), volume: 0, source: 'data912' },
        { ...close('2026-05-06', 0), volume: null, high: 7 },
      ];
      await put(store, al30, closes);
      assert.deepEqual(await readRows(store, al30), closes);
      assert.deepEqual(await store.history.readCloses(al30, allDays), closes);
    });

    test('a series has columns of equal length, with NaN for a volume of null', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [close('2026-05-04', 1.5, 10), close('2026-05-05', 2.5)]);
      assert.deepEqual(await store.history.readSeries(al30, allDays), {
        days: Int32Array.of(day('2026-05-04'), day('2026-05-05')),
        closes: Float64Array.of(1.5, 2.5),
        volumes: Float64Array.of(10, Number.NaN),
      });
    });

    test('bars have the columns of a series, and those of open, high and low with NaN where absent', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [
        { ...close('2026-05-04', 1.5, 10), open: 1.25, high: 1.75, low: 1 },
        { ...close('2026-05-05', 2.5), high: 3 },
        { ...close('2026-05-06', 9), open: 8 },
      ]);
      const range = { from: day('2026-05-04'), to: day('2026-05-05') };
      assert.deepEqual(await store.history.readBars(al30, range), {
        ...(await store.history.readSeries(al30, range)),
        opens: Float64Array.of(1.25, Number.NaN),
        highs: Float64Array.of(1.75, 3),
        lows: Float64Array.of(1, Number.NaN),
      });
      const none = new Float64Array(0);
      const empty = { ...emptySeries, opens: none, highs: none, lows: none };
      assert.deepEqual(await store.history.readBars(ggal, allDays), empty);
    });

    test('a series is ascending by day, in any order of the puts', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [close('2026-05-06', 3), close('1969-12-31', 0.5)]);
      await put(store, al30, [close('2026-05-04', 1), close('0001-01-01', 0.25)]);
      const { closes } = await store.history.readSeries(al30, allDays);
      assert.deepEqual([...closes], [0.25, 0.5, 1, 3]);
    });

    test('both ends of a range are included, and a reversed range has no rows', async (t) => {
      await using store = await (await makePlace(t)).open();
      const dates = ['2026-05-04', '2026-05-05', '2026-05-06', '2026-05-07'];
      await put(
        store,
        al30,
        dates.map((date, index) => close(date, index)),
      );
      const from = day('2026-05-05');
      const to = day('2026-05-06');
      const { days } = await store.history.readSeries(al30, { from, to });
      assert.deepEqual([...days], [from, to]);
      for (const reversed of [
        { from: to, to: from },
        { from: day('2026-05-07'), to: day('2026-05-04') },
      ]) {
        assert.deepEqual(await store.history.readSeries(al30, reversed), emptySeries);
        assert.deepEqual(await store.history.readCloses(al30, reversed), []);
        assert.deepEqual(await store.memory.readCloses(al30, reversed), []);
      }
      const tickers = [ggal, al30, mep];
      assert.deepEqual(await store.history.countCloses(tickers, { from, to }), [0, 2, 0]);
      assert.deepEqual(await store.history.countCloses(tickers, allDays), [0, 4, 0]);
      assert.deepEqual(await store.history.countCloses([al30], { from: to, to: from }), [0]);
    });

    test('the closes of an instrument are separate from those of others', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [close('2026-05-04', 1)]);
      await put(store, mep, [close('2026-05-04', 2)]);
      assert.deepEqual([...(await store.history.readSeries(mep, allDays)).closes], [2]);
      const other = await store.history.readSeries('al30' as Ticker, allDays);
      assert.equal(other.days.length, 0, 'the store compares tickers with regard to case');
    });

    test('any puts give the same closes as a map from day to close', async (t) => {
      const place = await makePlace(t);
      await using store = await place.open();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(arbitraryClose, { maxLength: 20 })), async (puts) => {
          const ticker = `T${(run += 1)}` as Ticker;
          const model = new Map<EpochDay, DailyClose>();
          for (const closes of puts) {
            await put(store, ticker, closes);
            for (const one of closes) model.set(one.day, one);
          }
          const expected = [...model.values()].sort((a, b) => a.day - b.day);
          assert.deepEqual(await readRows(store, ticker), expected);
        }),
        { numRuns: 50 },
      );
    });

    test('the latest close is that of the last day', async (t) => {
      await using store = await (await makePlace(t)).open();
      const last = { ...close('2026-05-06', 3, 30), open: 2, high: 4, low: 1, source: 'one' };
      await put(store, al30, [last, { ...close('2026-05-05', 2), source: 'two' }]);
      await put(store, mep, [close('2026-05-04', 7)]);
      assert.deepEqual(
        await store.history.latestCloses([mep, ggal, al30]),
        new Map([
          [mep, close('2026-05-04', 7)],
          [al30, last],
        ]),
      );
    });

    test('contract 2.1.4: the references are the last closes before the session, its month and its year', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [
        close('2025-12-29', 1),
        close('2025-12-30', 2),
        close('2026-01-02', 3),
        close('2026-04-30', 4),
        close('2026-05-01', 5),
        close('2026-05-04', 6),
        close('2026-05-05', 7),
      ]);
      const december30 = closeOn('2025-12-30', 2);
      const april30 = closeOn('2026-04-30', 4);
      const may4 = closeOn('2026-05-04', 6);
      const may5 = closeOn('2026-05-05', 7);
      assert.deepEqual(
        await store.history.referenceCloses([
          session(al30, '2026-05-05'),
          session(ggal, '2026-05-05'),
          session(al30, '2026-05-01'),
          session(al30, '2026-01-02'),
          session(al30, '2025-12-30'),
          session(al30, '2025-12-29'),
          session(al30, '2030-01-01'),
        ]),
        [
          { previous: may4, monthBase: april30, yearBase: december30 },
          {},
          { previous: april30, monthBase: april30, yearBase: december30 },
          { previous: december30, monthBase: december30, yearBase: december30 },
          { previous: closeOn('2025-12-29', 1) },
          {},
          { previous: may5, monthBase: may5, yearBase: may5 },
        ],
      );
    });

    test('a reference close may be 0', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, al30, [close('2025-05-04', 0)]);
      const base = closeOn('2025-05-04', 0);
      assert.deepEqual(await store.history.referenceCloses([session(al30, '2026-05-05')]), [
        { previous: base, monthBase: base, yearBase: base },
      ]);
    });

    test('the references of thousands of instruments are in the order of the request', async (t) => {
      await using store = await (await makePlace(t)).open();
      const tickers = Array.from({ length: 1_234 }, (_, index) => `T${index}` as Ticker);
      await store.history.transaction(async (transaction) => {
        for (const [index, ticker] of tickers.entries()) {
          await transaction.put(ticker, [close('2025-05-04', index)]);
        }
      }, testStamp);
      const latest = await store.history.latestCloses(tickers);
      assert.deepEqual([...latest.keys()], tickers);
      const references = await store.history.referenceCloses(
        tickers.map((ticker) => session(ticker, '2026-05-04')),
      );
      assert.deepEqual(
        references.map(({ yearBase }) => yearBase?.close),
        tickers.map((_, index) => index),
      );
    });
  });
}

const arbitraryClose = fc.record(
  {
    day: fc.integer({ min: -5, max: 5 }).map((value) => value as EpochDay),
    close: finite(),
    volume: fc.option(finite()),
    open: finite(),
    high: finite(),
    low: finite(),
    source: fc.constantFrom('one', 'two', 'session'),
  },
  { requiredKeys: ['day', 'close', 'volume'], noNullPrototype: true },
) as fc.Arbitrary<DailyClose>;

function finite(): fc.Arbitrary<number> {
  // A database may return 0 for -0, so -0 is not generated.
  return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
}
