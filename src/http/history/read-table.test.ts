import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { adjustToLatest } from '../../domain/history/adjust-series.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { CorporateActions, noActions } from '../../domain/history/corporate-actions.ts';
import { rowsInRange, type BarSeries } from '../../domain/history/daily-close.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import { readRange, type SeriesReader } from './read-table.ts';
import { noPayments } from '../../../test/support/market/no-payments.ts';

const instrument = makeUniverse([{ ticker: 'A' }]).get('A' as Ticker);

/** A history in memory, which notes the ranges that are read. */
class NotedHistory implements SeriesReader {
  readonly ranges: DayRange[] = [];
  readonly #series: BarSeries;

  constructor(series: BarSeries) {
    this.#series = series;
  }

  async readSeries(_: Ticker, range: DayRange): Promise<BarSeries> {
    this.ranges.push(range);
    return rowsInRange(this.#series, range).rows;
  }

  async readBars(ticker: Ticker, range: DayRange): Promise<BarSeries> {
    return this.readSeries(ticker, range);
  }
}

function seriesOn(days: readonly number[]): BarSeries {
  const prices = Float64Array.from(days, (day) => 100 + day * 3.7);
  const opens = prices.map((price, at) => (at % 3 === 0 ? Number.NaN : price - 1));
  const volumes = prices.map((_, at) => (at % 4 === 0 ? Number.NaN : at));
  const columns = { closes: prices, volumes, opens, highs: opens, lows: opens };
  return { days: Int32Array.from(days), ...columns };
}

const day = fc.nat(30).map((value) => value as EpochDay);
const action: fc.Arbitrary<CorporateAction> = fc
  .record({
    ticker: fc.constant(instrument.ticker),
    exDay: day,
    source: fc.constant('test'),
  })
  .chain((named) =>
    fc.oneof(
      fc.constantFrom(2, 0.1, 3).map((factor) => ({ ...named, type: 'split' as const, factor })),
      fc
        .record({ amount: fc.constantFrom(1, 20, 150), currency: fc.constantFrom('ARS', 'USD') })
        .map((paid) => ({ ...named, type: 'cash-dividend' as const, ...paid })),
    ),
  );

test('contract 4.2.6, 4.2.13: the rows of a range are those of the whole series, whatever the days, the actions and the quote', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(30), { maxLength: 12 }),
      fc.uniqueArray(action, { maxLength: 4, selector: ({ exDay }) => exDay }),
      fc.tuple(day, day),
      fc.option(day, { nil: undefined }),
      fc.constantFrom('none' as const, 'splits' as const, 'total' as const),
      async (days, all, [one, other], sessionDay, adjustment) => {
        const series = seriesOn(days.toSorted((a, b) => a - b));
        const range = { from: Math.min(one, other), to: Math.max(one, other) } as DayRange;
        const actions = new CorporateActions(all);
        const sources = {
          history: new NotedHistory(series),
          actions: () => actions,
          sessionDay: () => sessionDay,
          payments: noPayments,
        };
        const read = await readRange(sources, instrument, { range, adjustment, withBars: true });
        const adjusted = adjustToLatest(series, {
          actions: actions.of(instrument.ticker),
          adjustment,
          currency: instrument.currency,
          sessionDay,
        });
        const { rows: expected, firstRow } = rowsInRange(adjusted, range);
        const count = expected.days.length;
        assert.deepEqual(read, {
          ...expected,
          // Further rows do not matter: a row is adjusted or not.
          adjustedRows: read.adjustedRows,
          unapplied: adjusted.unapplied.filter((exDay) => exDay > range.from),
        });
        const adjustedRows = Math.max(0, adjusted.adjustedRows - firstRow);
        assert.equal(Math.min(count, read.adjustedRows), Math.min(count, adjustedRows));
      },
    ),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) },
  );
});

test('as traded, and without actions, nothing but the range is read', async () => {
  const range = { from: 3 as EpochDay, to: 9 as EpochDay };
  const split = { type: 'split' as const, ticker: instrument.ticker, source: 'test', factor: 2 };
  for (const [adjustment, actions] of [
    ['none', new CorporateActions([{ ...split, exDay: 5 as EpochDay }])],
    ['total', noActions],
  ] as const) {
    const history = new NotedHistory(seriesOn([1, 2, 3, 8, 20]));
    const sources = {
      history,
      actions: () => actions,
      payments: noPayments,
      sessionDay: () => undefined,
    };
    await readRange(sources, instrument, { range, adjustment, withBars: false });
    assert.deepEqual(history.ranges, [range]);
  }
});

test('an adjusted series is read from the first day of the range, and whole only for a dividend before its first row', async () => {
  const range = { from: 4 as EpochDay, to: 9 as EpochDay };
  const dividend = { type: 'cash-dividend' as const, ticker: instrument.ticker, source: 'test' };
  for (const [exDay, from] of [
    [4, [4]],
    [5, [4, firstEpochDay]],
    [8, [4, firstEpochDay]],
    [9, [4]],
  ] as const) {
    const history = new NotedHistory(seriesOn([1, 2, 8, 20]));
    const paid = { ...dividend, exDay: exDay as EpochDay, amount: 1, currency: 'ARS' };
    const actions = new CorporateActions([paid]);
    const sources = {
      history,
      actions: () => actions,
      payments: noPayments,
      sessionDay: () => undefined,
    };
    await readRange(sources, instrument, { range, adjustment: 'total', withBars: false });
    const expected = from.map((first) => ({ from: first, to: lastEpochDay }));
    assert.deepEqual(history.ranges, expected, `ex day ${exDay}`);
  }
});
