import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { Bar } from '../drawing/bars.ts';
import { meanPrice, weightedPrices } from './weighted-price.ts';

/** A minute of one price. */
const minute = (time: number, close: number, volume: number | null, day = '2026-11-20'): Bar => ({
  time,
  day,
  close,
  range: { open: close, high: close, low: close },
  volume,
});

test('the weighted price of a session is that of all its volume up to each bar', () => {
  const bars: readonly Bar[] = [
    // The typical price is (12 + 6 + 9) ÷ 3 = 9.
    { time: 0, day: '2026-11-20', close: 9, range: { open: 7, high: 12, low: 6 }, volume: 100 },
    minute(60, 15, 300),
    minute(120, 11, 0),
  ];
  assert.deepEqual(weightedPrices(bars), [
    { time: 0, value: 9 },
    { time: 60, value: 13.5 },
    { time: 120, value: 13.5 },
  ]);
});

test('a bar without a volume adds nothing, and nothing is made up before the first volume', () => {
  const bars = [minute(0, 10, null), minute(60, 10, 0), minute(120, 20, 5), minute(180, 90, null)];
  assert.deepEqual(weightedPrices(bars), [
    { time: 120, value: 20 },
    { time: 180, value: 20 },
  ]);
  assert.deepEqual(weightedPrices([minute(0, 10, null), minute(60, 11, null)]), []);
});

test('each session begins anew', () => {
  const bars = [minute(0, 10, 5), minute(60, 30, 1, '2026-11-21')];
  assert.deepEqual(
    weightedPrices(bars).map(({ value }) => value),
    [10, 30],
  );
});

test('the last weighted price is that of all trades, however they are divided into bars', () => {
  const trade = fc.record({
    price: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
    volume: fc.integer({ min: 0, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(trade, { minLength: 1 }), (trades) => {
      const bars = trades.map(({ price, volume }, at) => minute(at * 60, price, volume));
      const volume = trades.reduce((sum, one) => sum + one.volume, 0);
      const amount = trades.reduce((sum, one) => sum + one.price * one.volume, 0);
      const last = weightedPrices(bars).at(-1)?.value;
      if (volume === 0) assert.equal(last, undefined);
      else assert.ok(Math.abs((last ?? 0) - amount / volume) <= 1e-9 * (amount / volume));
    }),
  );
});

const traded = { monto: 8_120_000, volumen: 10_000, minimo: 80_000, maximo: 82_000 };

test('the exact mean price of a bond is for the 100 that its price is for', () => {
  assert.equal(meanPrice(traded, 100), 81_200);
  assert.equal(meanPrice({ ...traded, minimo: 800, maximo: 820 }, 1), 812);
});

test('a quote without an amount, a volume, a range or a known quantity of its price has no mean price', () => {
  const { monto: _, ...unpriced } = traded;
  assert.equal(meanPrice(unpriced, 100), undefined);
  assert.equal(meanPrice({ ...traded, volumen: null }, 100), undefined);
  assert.equal(meanPrice({ ...traded, monto: 0, volumen: 0 }, 100), undefined);
  assert.equal(meanPrice({ monto: traded.monto, volumen: traded.volumen }, 100), undefined);
  assert.equal(meanPrice(traded, undefined), undefined);
});

test('an amount in other units than the prices makes no mean price', () => {
  assert.equal(meanPrice(traded, 1), undefined);
  assert.equal(meanPrice({ ...traded, volumen: 1_000_000 }, 100), undefined);
  // A single trade at 80,000.50 whose amount is rounded.
  const rounded = { monto: 800, volumen: 1, minimo: 80_000.5, maximo: 80_000.5 };
  assert.equal(meanPrice(rounded, 100), 80_000);
});
