import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Bar } from '../../../src/domain/quotes/minute-bar.ts';
import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { barAt, minuteAt } from '../../support/market/bar-samples.ts';
import { al30, close, ggal, mep } from '../close-samples.ts';
import type { MakePlace } from '../store-place.ts';
import { testChange } from '../../support/market/test-change.ts';

const always = { from: firstEpochDay, to: lastEpochDay };

/** More than any test needs. */
const stepsMax = 1_000;

/** Later than every bar of the tests. */
const muchLater = minuteAt('2027-01-01', '00:00');

/** The guarantees of every store about the bars of minutes. */
export function testBars(name: string, makePlace: MakePlace): void {
  describe(`${name}: bars`, () => {
    test('a ticker without bars has none, and no latest day', async (t) => {
      await using store = await (await makePlace(t)).open();
      assert.deepEqual(await store.bars.readBars(al30, always), []);
      assert.equal(await store.bars.latestBarDay(al30), undefined);
      await put(store, [[ggal, bar('2026-11-20', '11:00', 1)]]);
      assert.deepEqual(await store.bars.readBars(al30, always), []);
      assert.equal(await store.bars.latestBarDay(al30), undefined);
    });

    test('the bars of a commit are read back with all fields, ascending, from any process', async (t) => {
      const place = await makePlace(t);
      await using store = await place.open();
      await using other = await place.open();
      const bars = [
        barAt('2026-11-19', '16:59', [0.1 + 0.2, 3e9, 1e-8, 7.25], 0.1),
        barAt('2026-11-20', '10:30', [1, 2, 0.5, 1.5], null),
        barAt('2026-11-20', '10:32', [-1, -0.5, -2, -1.5], 0),
      ];
      await put(
        store,
        bars.toReversed().map((one) => [al30, one]),
      );
      await put(store, [[mep, bar('2026-11-20', '10:30', 9)]]);
      assert.deepEqual(await other.bars.readBars(al30, always), bars);
      assert.equal(await other.bars.latestBarDay(al30), bars[2]?.day);
    });

    test('the bars of several days are ascending, packed or not', async (t) => {
      await using store = await (await makePlace(t)).open();
      const bars = ['2026-11-18', '2026-11-19', '2026-11-20'].flatMap((date, at) =>
        ['11:00', '11:01', '11:02'].map((time) => bar(date, time, at)),
      );
      await put(
        store,
        bars.map((one) => [al30, one]),
      );
      const earlier = bar('2026-11-17', '11:00', 9);
      for (const expected of [bars, [earlier, ...bars]]) {
        assert.deepEqual(await store.bars.readBars(al30, always), expected);
        assert.equal(await store.bars.latestBarDay(al30), bars.at(-1)?.day);
        await tidy(store, { sessionsMax: 10 });
        assert.deepEqual(await store.bars.readBars(al30, always), expected);
        await put(store, [[al30, earlier]]);
      }
    });

    test('a range includes both its days, and a first minute leaves out earlier ones', async (t) => {
      await using store = await (await makePlace(t)).open();
      const bars = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'].map((date, at) =>
        bar(date, '11:00', at),
      );
      for (const isPacked of [false, true]) {
        if (isPacked) await tidy(store, { sessionsMax: 10 });
        else
          await put(
            store,
            bars.map((one) => [al30, one]),
          );
        const [, second, third, fourth] = bars;
        assert.ok(second !== undefined && third !== undefined);
        const range = { from: second.day, to: third.day };
        assert.deepEqual(await store.bars.readBars(al30, range), [second, third]);
        const unbounded = { ...range, sinceMinute: -Infinity };
        assert.deepEqual(await store.bars.readBars(al30, unbounded), [second, third]);
        const since = { ...range, sinceMinute: third.minute };
        assert.deepEqual(await store.bars.readBars(al30, since), [third]);
        const after = { ...range, sinceMinute: third.minute + 1 };
        assert.deepEqual(await store.bars.readBars(al30, after), []);
        assert.equal(await store.bars.latestBarDay(al30), fourth?.day);
      }
    });

    test('a bar replaces the bar of the same instrument and minute', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, [[al30, bar('2026-11-20', '11:00', 1)]]);
      await put(store, [
        [al30, bar('2026-11-20', '11:00', 2)],
        [ggal, bar('2026-11-20', '11:00', 3)],
      ]);
      assert.deepEqual(await lasts(store, al30), [2]);
      assert.deepEqual(await lasts(store, ggal), [3]);
    });

    test('a failed commit stores no bar', async (t) => {
      await using store = await (await makePlace(t)).open();
      const wrong = { ticker: mep, close: close('2026-05-04', Number.NaN) };
      const bars = [{ ticker: al30, bar: bar('2026-11-20', '11:00', 1) }];
      await assert.rejects(
        store.quotes.commit({ quotes: [], closes: [wrong], storedAt: testChange.at, bars }),
      );
      assert.deepEqual(await store.bars.readBars(al30, always), []);
    });

    test('packing the days that are over changes no bar', async (t) => {
      await using store = await (await makePlace(t)).open();
      const tickers = Array.from({ length: 20 }, (_, at) => `T${at}` as Ticker);
      const all = tickers.flatMap((ticker, at) =>
        [0, 1, 2]
          .slice(0, 1 + (at % 3))
          .map((minute): [Ticker, Bar] => [
            ticker,
            bar('2026-11-19', `11:0${minute}`, at + minute / 10),
          ]),
      );
      await put(store, all);
      const current = bar('2026-11-20', '11:00', 7);
      await put(store, [[al30, current]]);
      const idleSince = minuteAt('2026-11-20', '11:00');
      await tidy(store, { sessionsMax: 10, idleSince });
      for (const ticker of tickers) {
        const own = all.flatMap(([one, held]) => (one === ticker ? [held] : []));
        assert.deepEqual(await store.bars.readBars(ticker, always), own);
      }
      assert.deepEqual(await store.bars.readBars(al30, always), [current]);
      assert.equal(await store.bars.tidyBars({ sessionsMax: 10, idleSince }), false);
    });

    test('every step leaves all bars readable', async (t) => {
      await using store = await (await makePlace(t)).open();
      const tickers = Array.from({ length: 25 }, (_, at) => `T${at}` as Ticker);
      await put(
        store,
        tickers.map((ticker, at) => [ticker, bar('2026-11-19', '11:00', at)]),
      );
      let steps = 0;
      let isMore = true;
      for (; isMore && steps < stepsMax; steps += 1) {
        isMore = await store.bars.tidyBars({ sessionsMax: 2, idleSince: muchLater });
        for (const [at, ticker] of tickers.entries()) {
          assert.deepEqual(await lasts(store, ticker), [at]);
        }
      }
      assert.ok(!isMore && steps > 4, `${steps} steps`);
    });

    test('a day is packed when its last bar is before the limit, and only then', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, [
        [al30, bar('2026-11-20', '11:00', 1)],
        [ggal, bar('2026-11-20', '11:30', 1)],
      ]);
      const last = minuteAt('2026-11-20', '11:30');
      // The first call also counts the sessions.
      await tidy(store, { sessionsMax: 1, idleSince: last });
      assert.equal(await store.bars.tidyBars({ sessionsMax: 1, idleSince: last }), false);
      assert.equal(await store.bars.tidyBars({ sessionsMax: 1, idleSince: last + 1 }), true);
    });

    test('bars that are added to a day while it is packed, or later, are packed too', async (t) => {
      await using store = await (await makePlace(t)).open();
      const options = { sessionsMax: 2, idleSince: muchLater };
      const tickers = Array.from({ length: 30 }, (_, at) => `T${at}` as Ticker);
      const [first = al30] = tickers;
      await put(
        store,
        tickers.map((ticker) => [ticker, bar('2026-11-19', '11:00', 1)]),
      );
      let added = 0;
      let isMore = true;
      for (; isMore && added < stepsMax; added += 1) {
        const time = `12:${String(added + 1).padStart(2, '0')}`;
        if (added < 12) await put(store, [[first, bar('2026-11-19', time, added + 1)]]);
        isMore = await store.bars.tidyBars(options);
      }
      const expected = [1, ...Array.from({ length: 12 }, (_, at) => at + 1)];
      assert.ok(added > 12);
      assert.deepEqual(await lasts(store, first), expected);
      await put(store, [[first, bar('2026-11-19', '12:01', 99)]]);
      await tidy(store, options);
      assert.deepEqual(await lasts(store, first), [1, 99, ...expected.slice(2)]);
    });

    test('bars of a day that is older than all sessions are readable until they leave', async (t) => {
      await using store = await (await makePlace(t)).open();
      const options = { sessionsMax: 2, idleSince: muchLater };
      const kept = [bar('2026-11-19', '11:00', 19), bar('2026-11-20', '11:00', 20)];
      await put(
        store,
        kept.map((one) => [ggal, one]),
      );
      await tidy(store, options);
      const late = bar('2026-11-10', '11:00', 10);
      await put(store, [[ggal, late]]);
      let isMore = true;
      for (let step = 0; isMore && step < stepsMax; step += 1) {
        isMore = await store.bars.tidyBars(options);
        const [first, ...others] = await store.bars.readBars(ggal, always);
        assert.deepEqual(
          first === undefined || first.day > late.day ? [first, ...others] : others,
          kept,
        );
      }
      assert.deepEqual(await store.bars.readBars(ggal, always), kept);
    });

    test('the oldest sessions of an instrument leave when newer ones are packed', async (t) => {
      await using store = await (await makePlace(t)).open();
      for (let day = 10; day <= 20; day += 1) {
        const others: [Ticker, Bar][] =
          day < 12 ? [[ggal, bar(`2026-11-${day}`, '11:00', day)]] : [];
        await put(store, [[al30, bar(`2026-11-${day}`, '11:00', day)], ...others]);
        await tidy(store, { sessionsMax: 3 });
      }
      assert.deepEqual(await lasts(store, al30), [18, 19, 20]);
      assert.deepEqual(await lasts(store, ggal), [10, 11]);
      await put(store, [[al30, bar('2026-11-13', '11:00', 13)]]);
      await tidy(store, { sessionsMax: 3 });
      assert.deepEqual(await lasts(store, al30), [18, 19, 20], 'a late bar of an older session');
    });

    test('a lower number of sessions applies to every instrument at once', async (t) => {
      await using store = await (await makePlace(t)).open();
      for (let day = 10; day <= 14; day += 1) {
        const one = bar(`2026-11-${day}`, '11:00', day);
        await put(store, [
          [al30, one],
          [ggal, one],
        ]);
      }
      await tidy(store, { sessionsMax: 5 });
      assert.deepEqual(await lasts(store, al30), [10, 11, 12, 13, 14]);
      await tidy(store, { sessionsMax: 2 });
      assert.deepEqual(await lasts(store, al30), [13, 14]);
      assert.deepEqual(await lasts(store, ggal), [13, 14]);
      assert.equal(
        await store.bars.tidyBars({ sessionsMax: 2, idleSince: muchLater }),
        false,
        'they are counted once',
      );
    });

    test('with no sessions every bar is removed', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, [[al30, bar('2026-11-18', '11:00', 1)]]);
      await tidy(store, { sessionsMax: 5 });
      await put(store, [[al30, bar('2026-11-19', '11:00', 1)]]);
      await tidy(store, { sessionsMax: 0, idleSince: 0 });
      assert.deepEqual(await store.bars.readBars(al30, always), []);
      assert.equal(await store.bars.latestBarDay(al30), undefined);
    });

    test('the latest day is that of the latest bar, packed or not', async (t) => {
      await using store = await (await makePlace(t)).open();
      await put(store, [
        [al30, bar('2026-11-18', '11:00', 1)],
        [ggal, bar('2026-11-18', '11:00', 1)],
      ]);
      assert.equal(await store.bars.latestBarDay(al30), dayOf('2026-11-18'));
      await tidy(store, { sessionsMax: 5 });
      assert.equal(await store.bars.latestBarDay(al30), dayOf('2026-11-18'));
      await put(store, [
        [al30, bar('2026-11-19', '11:00', 1)],
        [mep, bar('2026-11-20', '11:00', 1)],
      ]);
      assert.equal(await store.bars.latestBarDay(al30), dayOf('2026-11-19'));
      assert.equal(await store.bars.latestBarDay(ggal), dayOf('2026-11-18'));
      // A bar of an earlier day that was added late is not the latest.
      await tidy(store, { sessionsMax: 5 });
      await put(store, [[al30, bar('2026-11-17', '11:00', 1)]]);
      assert.equal(await store.bars.latestBarDay(al30), dayOf('2026-11-19'));
    });
  });
}

function dayOf(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

function bar(date: string, time: string, last: number): Bar {
  return barAt(date, time, [last, last + 1, last - 1, last], last * 10);
}

async function put(store: Store, bars: readonly (readonly [Ticker, Bar])[]): Promise<void> {
  const committed = bars.map(([ticker, one]) => ({ ticker, bar: one }));
  await store.quotes.commit({ quotes: [], closes: [], bars: committed });
}

async function lasts(store: Store, ticker: Ticker): Promise<readonly number[]> {
  return (await store.bars.readBars(ticker, always)).map(({ last }) => last);
}

/** Tidies until nothing is left to do. */
async function tidy(
  store: Store,
  { sessionsMax, idleSince = muchLater }: { sessionsMax: number; idleSince?: number },
): Promise<void> {
  for (let steps = 0; steps < stepsMax; steps += 1) {
    if (!(await store.bars.tidyBars({ sessionsMax, idleSince }))) return;
  }
  assert.fail(`more than ${stepsMax} steps`);
}
