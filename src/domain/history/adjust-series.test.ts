import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import * as fc from 'fast-check';

import { adjustSeries, nextExDay, type AdjustedSeries, type Adjustment } from './adjust-series.ts';
import type { CorporateAction, FactorAction } from './corporate-action.ts';
import { priceFactor } from './corporate-actions.ts';
import type { BarSeries, CloseSeries } from './daily-close.ts';
import type { EpochDay } from '../calendar/plain-date.ts';
import { roundHalfAwayFromZero } from '../values/rounding.ts';
import type { Ticker } from '../instruments/ticker.ts';

const ticker = 'X' as Ticker;

function unit(
  exDay: number,
  factor: number,
  type: FactorAction['type'] = 'split',
): CorporateAction {
  return { type, ticker, exDay: exDay as EpochDay, factor, source: 'test' };
}

function cash(exDay: number, amount: number, currency = 'USD'): CorporateAction {
  const action = { type: 'cash-dividend', ticker, amount, currency, source: 'test' } as const;
  return { ...action, exDay: exDay as EpochDay };
}

function rename(exDay: number): CorporateAction {
  const newTicker = 'Y' as Ticker;
  return { type: 'ticker-change', ticker, exDay: exDay as EpochDay, newTicker, source: 'test' };
}

/** A series of closes by day. The volume of each day is a hundred times its close. */
function seriesOf(closes: Readonly<Record<number, number>>): CloseSeries {
  const values = Object.values(closes);
  return {
    days: Int32Array.from(Object.keys(closes), Number),
    closes: Float64Array.from(values),
    volumes: Float64Array.from(values, (close) => close * 100),
  };
}

function adjusted<S extends CloseSeries>(
  series: S,
  actions: readonly CorporateAction[],
  adjustment: Adjustment,
  basisDay = 1_000,
): AdjustedSeries<S> {
  return adjustSeries(series, {
    actions,
    adjustment,
    basisDay: basisDay as EpochDay,
    currency: 'USD',
  });
}

describe('contract 4.2.6: splits', () => {
  const series = seriesOf({ 10: 400, 11: 440, 14: 45, 15: 46 });

  test('prices before an ex date are divided by the factor, and volumes multiplied by it', () => {
    const { closes, volumes, adjustedRows, unapplied } = adjusted(series, [unit(14, 10)], 'splits');
    assert.deepEqual([...closes], [40, 44, 45, 46]);
    assert.deepEqual([...volumes], [400_000, 440_000, 4_500, 4_600]);
    assert.equal(adjustedRows, 2);
    assert.deepEqual(unapplied, []);
  });

  test('an ex date without a session applies to the rows before it', () => {
    for (const exDay of [12, 13, 14]) {
      const { closes } = adjusted(series, [unit(exDay, 10)], 'splits');
      assert.deepEqual([...closes], [40, 44, 45, 46], `${exDay}`);
    }
    assert.deepEqual([...adjusted(series, [unit(11, 10)], 'splits').closes], [40, 440, 45, 46]);
    assert.deepEqual([...adjusted(series, [unit(15, 10)], 'splits').closes], [40, 44, 4.5, 46]);
  });

  test('stock dividends, changes of a ratio and reverse splits count as splits, and their factors multiply', () => {
    const actions = [unit(11, 0.1), unit(14, 1.25, 'stock-dividend'), unit(15, 4, 'ratio-change')];
    const { closes, adjustedRows } = adjusted(series, actions, 'splits');
    assert.deepEqual([...closes], [800, 88, 11.25, 46]);
    assert.equal(adjustedRows, 3);
  });

  test('rights and spin-offs divide prices, and leave volumes', () => {
    const actions = [unit(14, 1.1, 'rights-issue'), unit(15, 2, 'spin-off')];
    for (const adjustment of ['splits', 'total'] as const) {
      const { closes, volumes } = adjusted(series, actions, adjustment);
      assert.deepEqual([...closes], [181.81818182, 200, 22.5, 46]);
      assert.deepEqual([...volumes], [...series.volumes]);
    }
  });

  test('an action after the basis day changes nothing, and one on it does', () => {
    const actions = [unit(14, 10), unit(20, 2)];
    assert.deepEqual([...adjusted(series, actions, 'splits', 19).closes], [40, 44, 45, 46]);
    const { closes, adjustedRows } = adjusted(series, actions, 'splits', 20);
    assert.deepEqual([...closes], [20, 22, 22.5, 23]);
    assert.equal(adjustedRows, 4);
  });

  test('an action on or before the first day, a dividend and a new ticker change nothing', () => {
    const actions = [unit(9, 10), unit(10, 10), cash(14, 1), cash(15, 1, 'ARS'), rename(14)];
    const same = adjusted(series, actions, 'splits');
    assert.equal(same.closes, series.closes);
    assert.equal(same.volumes, series.volumes);
    assert.equal(same.adjustedRows, 0);
    assert.deepEqual(same.unapplied, []);
  });

  test('a series without rows has none', () => {
    const { days, adjustedRows } = adjusted(seriesOf({}), [unit(14, 10), cash(15, 1)], 'total');
    assert.deepEqual([days.length, adjustedRows], [0, 0]);
  });

  test('open, high and low are adjusted as the close, and unknown values stay unknown', () => {
    const bars: BarSeries = {
      ...series,
      volumes: Float64Array.of(Number.NaN, 7, 8, Number.NaN),
      opens: Float64Array.of(390, Number.NaN, 44, 45),
      highs: Float64Array.of(410, 450, 47, 48),
      lows: Float64Array.of(380, 430, 43, Number.NaN),
    };
    const { opens, highs, lows, volumes } = adjusted(bars, [unit(14, 10)], 'splits');
    assert.deepEqual([...opens], [39, Number.NaN, 44, 45]);
    assert.deepEqual([...highs], [41, 45, 47, 48]);
    assert.deepEqual([...lows], [38, 43, 43, Number.NaN]);
    assert.deepEqual([...volumes], [Number.NaN, 70, 8, Number.NaN]);
    assert.ok(!('opens' in adjusted(series, [unit(14, 10)], 'splits')));
  });

  test('adjusted values have at most 8 decimals, and the later rows stay as they are stored', () => {
    const fine = seriesOf({ 1: 10, 2: 1.234_567_891_23 });
    const { closes, volumes } = adjusted(fine, [unit(2, 3)], 'splits');
    assert.deepEqual([...closes], [3.333_333_33, 1.234_567_891_23]);
    assert.equal(volumes[0], 3_000);
  });

  test('contract 2.1.8: a small price does not become 0', () => {
    const { closes } = adjusted(seriesOf({ 1: 0.000_012_3, 2: 1 }), [unit(2, 10_000)], 'splits');
    assert.equal(closes[0], 1.23e-9);
  });

  test('the given columns do not change', () => {
    const before = [...series.closes];
    adjusted(series, [unit(14, 10), cash(15, 1)], 'total');
    assert.deepEqual([...series.closes], before);
  });
});

describe('contract 4.2.6: total', () => {
  test('prices before the ex date keep the share of the previous close that is not paid', () => {
    const series = seriesOf({ 10: 50, 11: 40, 12: 39 });
    const { closes, volumes, adjustedRows } = adjusted(series, [cash(12, 1)], 'total');
    assert.deepEqual([...closes], [48.75, 39, 39]);
    assert.deepEqual([...volumes], [5_000, 4_000, 3_900]);
    assert.equal(adjustedRows, 2);
  });

  test('the previous close is the last one before the ex date, as traded', () => {
    const series = seriesOf({ 10: 80, 11: 40, 20: 39 });
    assert.deepEqual([...adjusted(series, [cash(15, 10)], 'total').closes], [60, 30, 39]);
    // A later split changes the close that is shown, but not the share that was paid.
    const split = adjusted(series, [cash(11, 8), unit(20, 2)], 'total');
    assert.deepEqual([...split.closes], [36, 20, 39]);
  });

  test('an amount is for one unit of the ex date, so a split of the same day applies to the previous close', () => {
    const series = seriesOf({ 10: 400, 14: 45 });
    const expected = [36, 45];
    assert.deepEqual([...adjusted(series, [unit(14, 10), cash(14, 4)], 'total').closes], expected);
    assert.deepEqual([...adjusted(series, [cash(14, 4), unit(14, 10)], 'total').closes], expected);
    // So does one since the previous close, but not one after the ex date.
    assert.deepEqual([...adjusted(series, [unit(12, 10), cash(14, 4)], 'total').closes], expected);
    const after = adjusted(
      seriesOf({ 10: 400, 14: 396, 15: 40 }),
      [cash(14, 4), unit(15, 10)],
      'total',
    );
    assert.deepEqual([...after.closes], [39.6, 39.6, 40]);
  });

  test('dividends multiply, with the actions between them', () => {
    const series = seriesOf({ 1: 100, 2: 90, 3: 40, 4: 30 });
    const actions = [cash(2, 10), unit(3, 2), cash(4, 10)];
    assert.deepEqual([...adjusted(series, actions, 'total').closes], [33.75, 33.75, 30, 30]);
  });

  test('contract 4.2.7: a dividend in another currency, and one that is not below the previous close, is not applied', () => {
    const series = seriesOf({ 10: 50, 11: 40, 12: 39, 13: 38 });
    const actions = [cash(11, 1, 'ARS'), cash(12, 40), cash(13, 39.5)];
    const same = adjusted(series, actions, 'total');
    assert.deepEqual([...same.closes], [50, 40, 39, 38]);
    assert.deepEqual(same.unapplied, [11, 12, 13]);
    assert.equal(same.adjustedRows, 0);
    const both = adjusted(series, [cash(11, 49), cash(13, 1, 'ARS')], 'total');
    assert.deepEqual([...both.closes], [1, 40, 39, 38]);
    assert.deepEqual(both.unapplied, [13]);
    assert.deepEqual(adjusted(series, [cash(10, 1, 'ARS')], 'total').unapplied, []);
    assert.deepEqual(adjusted(series, [cash(13, 1, 'ARS')], 'splits').unapplied, []);
    assert.deepEqual(adjusted(series, [cash(13, 1, 'ARS')], 'total', 12).unapplied, []);
  });

  test('a previous close of zero or below is not above the amount', () => {
    const series = seriesOf({ 1: 0, 2: -4, 3: 5 });
    const same = adjusted(series, [cash(2, 1), cash(3, 1)], 'total');
    assert.deepEqual([...same.closes], [0, -4, 5]);
    assert.deepEqual(same.unapplied, [2, 3]);
  });
});

test('the next ex day is that of the first later action that the adjustment includes', () => {
  const actions = [unit(10, 2), cash(12, 1), rename(13), unit(14, 2)];
  const next = (after: number, adjustment: Adjustment) =>
    nextExDay(actions, { after: after as EpochDay, adjustment });
  assert.equal(next(9, 'splits'), 10);
  assert.equal(next(10, 'splits'), 14);
  assert.equal(next(10, 'total'), 12);
  assert.equal(next(12, 'total'), 14);
  assert.equal(next(14, 'total'), undefined);
  assert.equal(next(0, 'none'), undefined);
});

/** Prices of two decimals on ascending days, and actions of all types on days in and around them. */
const aDay = fc.integer({ min: 1, max: 60 });
const aSeries = fc
  .uniqueArray(fc.tuple(aDay, fc.integer({ min: 100, max: 1_000_000 })), {
    selector: ([day]) => day,
    minLength: 1,
    maxLength: 40,
  })
  .map((rows) => seriesOf(Object.fromEntries(rows.map(([day, cents]) => [day, cents / 100]))));
const aFactorAction = fc
  .tuple(aDay, fc.constantFrom(0.1, 0.5, 1.09, 1.5, 2, 3, 10))
  .map(([day, factor]) => unit(day, factor));
const aDividend = fc
  .tuple(aDay, fc.integer({ min: 1, max: 99 }))
  .map(([day, cents]) => cash(day, cents / 100));

function ascending(actions: readonly CorporateAction[]): readonly CorporateAction[] {
  return actions.toSorted((a, b) => a.exDay - b.exDay);
}

test('adjusting and un-adjusting gives back what was stored', () => {
  fc.assert(
    fc.property(aSeries, fc.array(aFactorAction, { maxLength: 4 }), aDay, (series, some, basis) => {
      const actions = ascending(some);
      const { closes, volumes } = adjusted(series, actions, 'splits', basis);
      for (const [row, day] of series.days.entries()) {
        const days = { from: day as EpochDay, to: basis as EpochDay };
        const factor = priceFactor(actions, days);
        const [price, volume] = [closes[row] ?? 0, volumes[row] ?? 0];
        // A value has 8 decimals, so it differs by up to 5e-9 from the quotient.
        const slack = 5e-9 * factor + 1e-9;
        assert.ok(Math.abs(price * factor - (series.closes[row] ?? 0)) <= slack);
        assert.equal(roundHalfAwayFromZero(price * factor, 2), series.closes[row]);
        assert.ok(Math.abs(volume / factor - (series.volumes[row] ?? 0)) <= 1e-6 * (1 + volume));
      }
    }),
  );
});

test('contract 4.2.6: splits change no return: the series of an instrument that never split comes out', () => {
  fc.assert(
    fc.property(aSeries, fc.array(aFactorAction, { maxLength: 4 }), (unsplit, some) => {
      const actions = ascending(some);
      const to = (unsplit.days.at(-1) ?? 0) as EpochDay;
      const closes = unsplit.closes.map(
        (close, row) => close * priceFactor(actions, { from: unsplit.days[row] as EpochDay, to }),
      );
      const shown = adjusted({ ...unsplit, closes }, actions, 'splits', to).closes;
      for (const [row, close] of shown.entries()) {
        assert.ok(Math.abs(close - (unsplit.closes[row] ?? 0)) <= 5e-9);
      }
    }),
  );
});

test('total equals the return of a holder who reinvests each dividend at the ex-dividend price', () => {
  const someActions = fc.uniqueArray(fc.oneof(aFactorAction, aDividend), {
    selector: ({ exDay, type }) => `${exDay} ${type}`,
    maxLength: 6,
  });
  fc.assert(
    fc.property(aSeries, someActions, (series, some) => {
      const actions = ascending(some);
      const basis = series.days.at(-1) ?? 0;
      // The theoretical ex-dividend price of an ex date is the previous close without the amount. A
      // second dividend before the next close has the same previous close, and its own such price.
      const result = adjusted(series, actions, 'total', basis);
      fc.pre(result.unapplied.length === 0);
      let units = 1;
      const worth: number[] = [];
      for (const [row, day] of series.days.entries()) {
        const before = row === 0 ? 0 : (series.days[row - 1] ?? 0);
        const previous = series.closes[row - 1] ?? 0;
        if (row > 0) {
          let unitsSince = 1;
          const inGap = actions.filter(({ exDay }) => exDay > before && exDay <= day);
          for (const exDay of new Set(inGap.map((action) => action.exDay))) {
            const today = inGap.filter((action) => action.exDay === exDay);
            for (const action of today) {
              if (action.type !== 'split') continue;
              unitsSince *= action.factor;
              units *= action.factor;
            }
            for (const action of today) {
              if (action.type !== 'cash-dividend') continue;
              const theoretical = previous / unitsSince - action.amount;
              units += (units * action.amount) / theoretical;
            }
          }
        }
        worth.push(units * (series.closes[row] ?? 0));
      }
      const end = [worth.at(-1) ?? 0, result.closes.at(-1) ?? 0] as const;
      for (const [row, close] of result.closes.entries()) {
        const held = end[0] / (worth[row] ?? 0);
        const shown = end[1] / close;
        // A close of 8 decimals has a relative error of up to 5e-9 ÷ close.
        assert.ok(Math.abs(shown / held - 1) <= 1e-8 / close + 1e-9, `${held} is not ${shown}`);
      }
    }),
  );
});
