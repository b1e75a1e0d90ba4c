/** Adjusted series of real instruments, compared with those that other vendors compute. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { adjustSeries, type Adjustment } from '../src/domain/history/adjust-series.ts';
import type { CorporateAction } from '../src/domain/history/corporate-action.ts';
import type { CloseSeries } from '../src/domain/history/daily-close.ts';
import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../src/domain/calendar/plain-date.ts';
import { roundHalfAwayFromZero } from '../src/domain/values/rounding.ts';
import type { Ticker } from '../src/domain/instruments/ticker.ts';
import { ImportRig } from './import/support/import-into.ts';
import { makeUniverse } from './support/market/make-universe.ts';
import { sharedData } from './support/program/shared-data.ts';

const skip =
  sharedData('README.md') === undefined ? 'the shared market data is not available' : false;
const ticker = 'X' as Ticker;

function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

function split(date: string, factor: number): CorporateAction {
  return { type: 'split', ticker, exDay: day(date), factor, source: 'test' };
}

function dividend(date: string, amount: number): CorporateAction {
  const exDay = day(date);
  return { type: 'cash-dividend', ticker, exDay, amount, currency: 'USD', source: 'test' };
}

function adjustedCloses(
  series: CloseSeries,
  actions: readonly CorporateAction[],
  adjustment: Adjustment,
  basisDay = day('2026-11-20'),
): Float64Array {
  const ascending = actions.toSorted((a, b) => a.exDay - b.exDay);
  const options = { actions: ascending, adjustment, basisDay, currency: 'USD' };
  const { closes, unapplied } = adjustSeries(series, options);
  assert.deepEqual(unapplied, []);
  return closes;
}

/** Apple's dividends for each unit of their ex date, as its investor relations publish them. */
const applePayments = `
  2012-08-09 2.65, 2012-11-07 2.65, 2013-02-07 2.65, 2013-05-09 3.05, 2013-08-08 3.05, 2013-11-06 3.05,
  2014-02-06 3.05, 2014-05-08 3.29, 2014-08-07 0.47, 2014-11-06 0.47, 2015-02-05 0.47, 2015-05-07 0.52,
  2015-08-06 0.52, 2015-11-05 0.52, 2016-02-04 0.52, 2016-05-05 0.57, 2016-08-04 0.57, 2016-11-03 0.57,
  2017-02-09 0.57, 2017-05-11 0.63, 2017-08-10 0.63, 2017-11-10 0.63, 2018-02-09 0.63, 2018-05-11 0.73,
  2018-08-10 0.73, 2018-11-08 0.73, 2019-02-08 0.73, 2019-05-10 0.77, 2019-08-09 0.77, 2019-11-07 0.77,
  2020-02-07 0.77, 2020-05-08 0.82, 2020-08-07 0.82, 2020-11-06 0.205, 2021-02-05 0.205`;
const apple = [
  ...applePayments.split(',').map((entry) => {
    const [date = '', amount] = entry.trim().split(' ');
    return dividend(date, Number(amount));
  }),
  split('2000-06-21', 2),
  split('2005-02-28', 2),
  split('2014-06-09', 7),
  split('2020-08-31', 4),
];

/** The closes as traded, and the closes of another vendor by day. */
async function readApple() {
  const folder = sharedData('history') ?? '';
  await using rig = await ImportRig.open();
  const universe = makeUniverse([{ ticker: 'AAPL_US', market: 'NYSE', currency: 'USD' }]);
  await rig.import([`${folder}/QuantConnect__Lean/Data/equity/usa/daily/aapl.zip`], { universe });
  const range = { from: firstEpochDay, to: lastEpochDay };
  const series = await rig.store.history.readSeries('AAPL_US' as Ticker, range);
  const lines = readFileSync(`${folder}/dieperdev__yfinance-stock-data/data/AAPL.csv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const yahoo = new Map(
    lines.map((line) => {
      const [date = '', , , , close, total] = line.split(',');
      return [date, { close: Number(close), total: Number(total) }];
    }),
  );
  return { series, yahoo };
}

describe('contract 4.2.6: AAPL, as traded from 1998 to 2021', { skip }, () => {
  test('its series match those of Yahoo, over four splits and 35 dividends', async () => {
    const { series, yahoo } = await readApple();
    const last = series.days.at(-1) as EpochDay;
    const splits = adjustedCloses(series, apple, 'splits', last);
    const total = adjustedCloses(series, apple, 'total', last);
    const end = yahoo.get(fromEpochDay(last)) ?? assert.fail('Yahoo lacks the last day');
    let [compared, exact] = [0, 0];
    for (const [row, at] of series.days.entries()) {
      const other = yahoo.get(fromEpochDay(at as EpochDay));
      if (other === undefined) continue;
      compared += 1;
      // The closes of some days differ between the exchanges that the vendors read.
      const deviation = Math.abs((splits[row] ?? 0) / other.close - 1);
      assert.ok(deviation < 0.05, `${fromEpochDay(at as EpochDay)} ${deviation}`);
      if (deviation > 0.000_5) continue;
      exact += 1;
      const [shown, expected] = [(total[row] ?? 0) / (total.at(-1) ?? 0), other.total / end.total];
      assert.ok(
        Math.abs(shown / expected - 1) < 0.001_5,
        `${fromEpochDay(at as EpochDay)} ${shown} ${expected}`,
      );
    }
    assert.ok(compared > 5_000 && exact > compared * 0.8, `${exact} of ${compared}`);
  });

  test('the day of the split of 4:1 of 2020-08-31 is a gain of 3.4 %, not a loss of 74 %', async () => {
    const { series } = await readApple();
    const at = series.days.indexOf(day('2020-08-31'));
    assert.deepEqual([...series.closes.subarray(at - 1, at + 1)], [499.23, 129.04]);
    const closes = adjustedCloses(series, apple, 'splits', day('2021-03-31'));
    assert.deepEqual([...closes.subarray(at - 1, at + 1)], [124.807_5, 129.04]);
    // On the Friday before, the split was not known to the prices yet.
    const before = adjustedCloses(series, apple, 'splits', day('2020-08-28'));
    assert.equal(before[at - 1], 499.23);
  });
});

interface Chart {
  readonly timestamp: readonly number[];
  readonly events: {
    readonly dividends?: Readonly<
      Record<string, { readonly amount: number; readonly date: number }>
    >;
    readonly splits?: Readonly<
      Record<
        string,
        { readonly numerator: number; readonly denominator: number; readonly date: number }
      >
    >;
  };
  readonly indicators: {
    readonly quote: readonly [
      { readonly close: readonly number[]; readonly volume: readonly number[] },
    ];
    readonly adjclose: readonly [{ readonly adjclose: readonly number[] }];
  };
}

/** A recorded chart of Yahoo. Its closes are adjusted for splits. */
function chart(name: string): Chart & { readonly series: CloseSeries } {
  const path = sharedData(
    `payloads/yahoo/historical-via-chart-${name}-2021-02-01-to-2022-01-31.csv.json`,
  );
  const recorded = JSON.parse(readFileSync(path ?? '', 'utf8')) as {
    readonly chart: { readonly result: readonly [Chart] };
  };
  const [result] = recorded.chart.result;
  const [{ close, volume }] = result.indicators.quote;
  const days = Int32Array.from(result.timestamp, dayOf);
  const series = { days, closes: Float64Array.from(close), volumes: Float64Array.from(volume) };
  return { ...result, series };
}

function dayOf(seconds: number): EpochDay {
  return Math.floor(seconds / 86_400) as EpochDay;
}

test(
  'contract 4.2.6: total of MSFT has the changes of the adjusted closes of Yahoo',
  { skip },
  () => {
    const { series, events, indicators } = chart('MSFT-dividends');
    const actions = Object.values(events.dividends ?? {}).map(({ date, amount }) =>
      dividend(fromEpochDay(dayOf(date)), amount),
    );
    assert.equal(actions.length, 4);
    const closes = adjustedCloses(series, actions, 'total');
    const [{ adjclose }] = indicators.adjclose;
    const scale = (adjclose.at(-1) ?? 0) / (closes.at(-1) ?? 0);
    for (const [row, close] of closes.entries()) {
      assert.ok(Math.abs((close * scale) / (adjclose[row] ?? 0) - 1) < 2e-6, `row ${row}`);
    }
  },
);

test(
  'contract 4.2.6: NVDA as traded, adjusted for its splits of 2021 and 2024, is the series of Yahoo',
  { skip },
  () => {
    const { series, events } = chart('NVDA-split');
    const [recorded] = Object.values(events.splits ?? {});
    const exDay = dayOf(recorded?.date ?? 0);
    assert.deepEqual([fromEpochDay(exDay), recorded?.numerator], ['2021-07-20', 4]);
    const actions = [split('2021-07-20', 4), split('2024-06-10', 10)];
    const closes = series.closes.map((close, row) =>
      roundHalfAwayFromZero(close * ((series.days[row] ?? 0) < exDay ? 40 : 10), 2),
    );
    const at = series.days.indexOf(exDay);
    assert.deepEqual([...closes.subarray(at - 1, at + 1)], [751.19, 186.12]);
    const volumes = series.volumes.map((volume, row) => volume / (row < at ? 40 : 10));
    const shown = adjustSeries(
      { ...series, closes, volumes },
      {
        actions,
        adjustment: 'splits',
        basisDay: day('2024-06-10'),
        currency: 'USD',
      },
    );
    for (const [row, close] of shown.closes.entries()) {
      assert.ok(Math.abs(close - (series.closes[row] ?? 0)) < 0.000_2, `row ${row}`);
    }
    assert.deepEqual(shown.volumes, series.volumes);
  },
);
