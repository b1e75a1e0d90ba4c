import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { allDays, close, day, put, session } from '../../../test/store/close-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { closeOn } from '../../../test/support/market/close-on.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { CloseSeries } from '../../domain/history/daily-close.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { ContinuedHistory } from './continued-history.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../contract/store.ts';

const [old, fresh, other] = ['FB', 'META', 'AL30'] as [Ticker, Ticker, Ticker];
const exDate = '2022-06-09';
const change = {
  ticker: old,
  exDay: day(exDate),
  type: 'ticker-change',
  newTicker: fresh,
} as const;
const actions = new CorporateActions([{ ...change, source: 'x' }]);

async function open(
  t: TestContext,
): Promise<{ readonly store: Store; readonly history: ContinuedHistory }> {
  const store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  return { store, history: new ContinuedHistory(store.history, () => actions) };
}

function rows({ days, closes, volumes }: CloseSeries): readonly unknown[] {
  return Array.from(days, (one, index) => [
    fromEpochDay(one as EpochDay),
    closes[index],
    volumes[index],
  ]);
}

test('a series continues that of the earlier ticker up to the change, with all columns', async (t) => {
  const { store, history } = await open(t);
  await using _ = store;
  const bar = { ...close('2022-06-08', 196, 5), open: 195, high: 197, low: 194 };
  await put(store, old, [close('2022-06-07', 195, 4), bar, close(exDate, 1)]);
  await put(store, fresh, [{ ...close(exDate, 184, 6), open: 185, high: 186, low: 183 }]);
  await put(store, other, [close('2022-06-08', 7, 8)]);
  assert.deepEqual(rows(await history.readSeries(fresh, allDays)), [
    ['2022-06-07', 195, 4],
    ['2022-06-08', 196, 5],
    [exDate, 184, 6],
  ]);
  const bars = await history.readBars(fresh, { from: day('2022-06-08'), to: day(exDate) });
  assert.deepEqual(
    [[...bars.opens], [...bars.highs], [...bars.lows]],
    [
      [195, 185],
      [197, 186],
      [194, 183],
    ],
  );
  assert.deepEqual(rows(bars).length, 2);
  const early = { from: day('2022-06-01'), to: day('2022-06-07') };
  assert.deepEqual(rows(await history.readSeries(fresh, early)), [['2022-06-07', 195, 4]]);
  const late = { from: day(exDate), to: day('2022-07-01') };
  assert.deepEqual(rows(await history.readSeries(fresh, late)), [[exDate, 184, 6]]);
  // Other instruments, and the earlier ticker itself, are as stored.
  assert.deepEqual(rows(await history.readSeries(other, allDays)), [['2022-06-08', 7, 8]]);
  assert.equal(rows(await history.readSeries(old, allDays)).length, 3);
});

test('of one day before the change, the close of the new ticker is used', async (t) => {
  const { store, history } = await open(t);
  await using _ = store;
  await put(store, old, [close('2022-06-06', 1), close('2022-06-08', 2)]);
  await put(store, fresh, [close('2022-06-07', 10), close('2022-06-08', 20)]);
  assert.deepEqual(
    rows(await history.readSeries(fresh, allDays)).map((row) => (row as unknown[]).slice(0, 2)),
    [
      ['2022-06-06', 1],
      ['2022-06-07', 10],
      ['2022-06-08', 20],
    ],
  );
});

test('without a close of its own, an instrument has the last one of its earlier ticker before the change', async (t) => {
  const { store, history } = await open(t);
  await using _ = store;
  const latest = async () => (await history.latestCloses([fresh, other])).get(fresh);
  assert.equal(await latest(), undefined);
  await put(store, old, [close('2022-06-07', 1, 4), close('2022-06-08', 2, 5)]);
  assert.deepEqual(await latest(), close('2022-06-08', 2, 5));
  // Another instrument has received the ticker.
  await put(store, old, [close(exDate, 3)]);
  assert.deepEqual(await latest(), close('2022-06-08', 2));
  await put(store, fresh, [close('2022-06-06', 9)]);
  assert.deepEqual(await latest(), close('2022-06-06', 9));
  assert.equal((await history.latestCloses([other])).size, 0);
});

test('the bases of a session are the latest closes of both tickers before each bound', async (t) => {
  const { store, history } = await open(t);
  await using _ = store;
  await put(store, old, [
    close('2021-12-31', 336),
    close('2022-05-31', 193),
    close('2022-06-08', 196),
    close(exDate, 1),
    close('2022-06-10', 2),
  ]);
  const bases = async (date: string) => (await history.referenceCloses([session(fresh, date)]))[0];
  const yearBase = closeOn('2021-12-31', 336);
  const monthBase = closeOn('2022-05-31', 193);
  assert.deepEqual(await bases(exDate), {
    previous: closeOn('2022-06-08', 196),
    monthBase,
    yearBase,
  });
  assert.deepEqual((await bases('2022-06-15'))?.previous, closeOn('2022-06-08', 196));
  assert.deepEqual(await bases('2023-01-03'), {
    previous: closeOn('2022-06-08', 196),
    monthBase: closeOn('2022-06-08', 196),
    yearBase: closeOn('2022-06-08', 196),
  });
  await put(store, fresh, [close('2022-05-31', 5), close('2022-06-14', 6)]);
  assert.deepEqual(await bases('2022-06-15'), {
    previous: closeOn('2022-06-14', 6),
    monthBase: closeOn('2022-05-31', 5),
    yearBase,
  });
  const both = [session(other, exDate), session(old, exDate)];
  assert.deepEqual(await history.referenceCloses(both), await store.history.referenceCloses(both));
});

test('an earlier ticker whose first close is after the change gives no base', async (t) => {
  const { store, history } = await open(t);
  await using _ = store;
  await put(store, old, [close('2022-06-10', 2)]);
  assert.deepEqual(await history.referenceCloses([session(fresh, '2022-06-15')]), [{}]);
});

test('a change of the closes of an earlier ticker is one of the instrument', async (t) => {
  const { store, history } = await open(t);
  await using _ = store;
  const { revision } = await history.changesSince(0);
  await put(store, old, [close('2022-06-08', 2)]);
  const changes = await history.changesSince(revision);
  assert.deepEqual(changes, { revision: revision + 1, tickers: [old, fresh] });
  await put(store, fresh, [close(exDate, 2)]);
  assert.deepEqual((await history.changesSince(changes.revision)).tickers, [fresh]);
});
