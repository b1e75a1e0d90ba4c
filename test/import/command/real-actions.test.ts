import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';

import { checkStoredActions } from '../../../src/operator/actions/check-actions.ts';
import { importCommand } from '../../../src/commands/actions/import.ts';
import { runCommand } from '../../support/program/run-command.ts';
import { openPipeline } from '../../../src/node/market/open-pipeline.ts';
import { requireUniverse } from '../../../src/node/market/require-universe.ts';
import {
  fromEpochDay,
  parsePlainDate,
  toEpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { silentLog } from '../../../src/lib/reports/log.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { until } from '../../support/wait.ts';
import { storeAt } from '../../support/program/test-store.ts';
import { ImportRig } from '../support/import-into.ts';
import { testChange, testStamp } from '../../support/market/test-change.ts';

const universeDirectory = join(import.meta.dirname, '../../../universe');

async function importInto(rig: ImportRig, sources: readonly string[], text = '') {
  const { json } = await runCommand(importCommand, {
    args: { sources },
    settings: { store: storeAt(join(rig.directory, 'data')), universe: universeDirectory },
    stdin: Readable.from([Buffer.from(text)]),
  });
  return json as { readonly added: number; readonly same: number };
}

test('AAPL as traded from 1998 to 2021: the check finds its splits, and with them the percentages are right', async (t) => {
  const path = sharedOrSkip(t, 'history/QuantConnect__Lean/Data/equity/usa/daily/aapl.zip');
  if (path === undefined) return;
  const universe = await requireUniverse(universeDirectory);
  await using rig = await ImportRig.open();
  const { summary } = await rig.import([path], { universe, options: { ticker: 'AAPL_US' } });
  assert.ok(summary.totals.added > 5_000);
  const check = async () =>
    (await checkStoredActions(rig.store, [universe.get('AAPL_US' as Ticker)])).doubts;
  const found = async (): Promise<readonly unknown[]> =>
    (await check()).map(({ type, day, factor }) => [type, fromEpochDay(day), factor]);
  // The split of 2000-06-21 is not found: the price rose by 10 % that day. That of 2000-09-29 is a crash.
  const crash = ['unrecorded', '2000-09-29', 2];
  assert.deepEqual(await found(), [
    crash,
    ['unrecorded', '2005-02-28', 2],
    ['unrecorded', '2014-06-09', 7],
    ['unrecorded', '2020-08-31', 4],
  ]);
  await importInto(
    rig,
    ['-'],
    `ticker,date,type,factor
AAPL_US,2000-06-21,split,2:1
AAPL_US,2005-02-28,split,2:1
AAPL_US,2014-06-09,split,7:1
AAPL_US,2020-08-31,split,4:1
`,
  );
  assert.deepEqual(await found(), [crash]);

  // The engine as on the evenings around the last two splits.
  const readCloses = await rig.closes('AAPL_US');
  for (const [date, previous, change, yearToDate] of [
    ['2014-06-06', 647.35, -0.27, 15.05],
    ['2014-06-09', 92.2243, 1.6, 16.89],
    ['2020-08-28', 500.04, -0.16, 70.01],
    ['2020-08-31', 124.8075, 3.39, 75.77],
  ] as const) {
    await using own = await ImportRig.open();
    await own.store.history.transaction(
      (transaction) =>
        transaction.put(
          'AAPL_US' as Ticker,
          [...readCloses].flatMap(([day, close]) =>
            day > date ? [] : [{ day: toEpochDay(day as PlainDate), close, volume: null }],
          ),
        ),
      testStamp,
    );
    await own.store.actions.apply(
      {
        put: (await rig.store.actions.readAll()).values,
        remove: [],
      },
      testChange,
    );
    await using market = await openPipeline({
      universe,
      store: own.store,
      clock: clockAt(() => Date.parse(`${date}T23:00:00Z`)),
      log: silentLog,
      settleDelayMs: 900_000,
    });
    const quote = market.board.quote(universe.get('AAPL_US' as Ticker));
    assert.equal(quote?.sessionDate, parsePlainDate(date));
    assert.ok(Math.abs((quote?.previousClose ?? 0) - previous) < 5e-5, `${quote?.previousClose}`);
    assert.deepEqual([quote?.change?.value, quote?.yearToDatePct], [change, yearToDate], date);
  }
});

test('contract 2.1.4: a change of the ticker that is imported while the market runs continues the closes of the old ticker', async () => {
  const universe = await requireUniverse(universeDirectory);
  const fb = 'FB_US' as Ticker;
  await using rig = await ImportRig.open();
  await rig.store.history.transaction(
    (transaction) =>
      transaction.put(
        fb,
        [
          ['2021-12-31', 336.35],
          ['2022-05-31', 193.64],
          ['2022-06-07', 195.65],
          ['2022-06-08', 196.64],
        ].map(([date, close]) => ({
          day: toEpochDay(date as PlainDate),
          close: Number(close),
          volume: null,
        })),
      ),
    testStamp,
  );
  await using market = await openPipeline({
    universe,
    store: rig.store,
    clock: clockAt(() => Date.parse('2022-06-09T15:00:00Z')),
    log: silentLog,
    settleDelayMs: 900_000,
  });
  const meta = universe.get('META_US' as Ticker);
  await market.ingest.submit([
    { ticker: meta.ticker, at: Date.parse('2022-06-09T14:59:00Z'), last: 184 },
  ]);
  assert.equal(market.board.quote(meta)?.previousClose, undefined);
  await importInto(rig, ['-'], 'ticker,date,type,newTicker\nFB_US,2022-06-09,rename,META_US\n');
  const quote = await until('the quote has the previous close of the old ticker', () => {
    const current = market.board.quote(meta);
    return current?.previousClose === 196.64 ? current : undefined;
  });
  const { change, monthToDatePct, yearToDatePct } = quote;
  assert.deepEqual([change?.value, monthToDatePct, yearToDatePct], [-6.43, -4.98, -45.3]);
});

test('the events of recorded charts are imported: a split of NVDA and of AAPL, and the dividends of MSFT', async (t) => {
  const folder = sharedOrSkip(t, 'payloads/yahoo');
  if (folder === undefined) return;
  await using rig = await ImportRig.open();
  const files = [
    'chart-AAPL-2020-08-31-to-2020-11-07.json',
    'historical-via-chart-NVDA-split-2021-02-01-to-2022-01-31.csv.json',
    'historical-via-chart-MSFT-dividends-2021-02-01-to-2022-01-31.csv.json',
  ].map((file) => join(folder, file));
  assert.equal((await importInto(rig, files)).added, 7);
  assert.equal((await importInto(rig, files)).same, 7);
  const { values: actions } = await rig.store.actions.readAll();
  const splits = actions.flatMap((one) =>
    one.type === 'split' ? [[one.ticker, one.exDay, one.factor]] : [],
  );
  assert.deepEqual(splits, [
    ['AAPL_US', toEpochDay('2020-08-31' as PlainDate), 4],
    ['NVDA_US', toEpochDay('2021-07-20' as PlainDate), 4],
  ]);
  const paid = actions.filter(({ ticker }) => ticker === 'MSFT_US');
  assert.deepEqual(
    paid.map((one) => (one.type === 'cash-dividend' ? one.amount : undefined)),
    [0.56, 0.56, 0.56, 0.62],
  );
});
