import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { fitBars } from './simulated-minutes.ts';

const cents = (price: number): number => Math.round(price * 100) / 100;
const price = fc.integer({ min: 100, max: 100_000 }).map((value) => value / 100);

/** Minutes, each of which opens with the last price of the one before. */
const path = fc
  .tuple(
    price,
    fc.array(fc.tuple(price, fc.integer({ min: 0, max: 1e6 })), { minLength: 1, maxLength: 40 }),
  )
  .map(([first, steps]) => {
    let open = first;
    return steps.map(([last, volume], index): Bar => {
      const bar = { day: 20_000 as EpochDay, minute: index, open, last, volume };
      open = last;
      return { ...bar, high: Math.max(bar.open, last), low: Math.min(bar.open, last) };
    });
  });

const figures = fc
  .tuple(price, price, price, price, fc.integer({ min: 0, max: 1e9 }))
  .map(([open, close, a, b, volume]) => {
    return { open, close, high: Math.max(open, close, a), low: Math.min(open, close, b), volume };
  });

test('the minutes of a session have its open, high, low, close and volume, and each continues the one before', () => {
  fc.assert(
    fc.property(path, figures, (bars, daily) => {
      const fitted = fitBars(bars, daily, cents);
      assert.deepEqual(
        fitted.map(({ day, minute }) => [day, minute]),
        bars.map(({ day, minute }) => [day, minute]),
      );
      assert.equal(fitted[0]?.open, daily.open);
      assert.equal(fitted.at(-1)?.last, daily.close);
      assert.equal(Math.max(...fitted.map(({ high }) => high)), daily.high);
      assert.equal(Math.min(...fitted.map(({ low }) => low)), daily.low);
      assert.equal(
        fitted.reduce((sum, { volume }) => sum + (volume ?? Number.NaN), 0),
        daily.volume,
      );
      for (const [index, { open, high, low, last, volume }] of fitted.entries()) {
        assert.ok(low <= Math.min(open, last) && high >= Math.max(open, last));
        assert.ok((volume ?? -1) >= 0);
        if (index > 0) assert.equal(open, fitted[index - 1]?.last);
      }
    }),
  );
});

test('figures that a session does not have leave the path as it is, and moved to its close', () => {
  const bar = { day: 20_000 as EpochDay, volume: 5 };
  const bars: Bar[] = [
    { ...bar, minute: 1, open: 10, high: 30, low: 10, last: 30 },
    { ...bar, minute: 2, open: 30, high: 30, low: 20, last: 20 },
  ];
  assert.deepEqual(fitBars(bars, { close: 21, volume: null }, cents), [
    { day: bar.day, minute: 1, open: 11, high: 31, low: 11, last: 31, volume: null },
    { day: bar.day, minute: 2, open: 31, high: 31, low: 21, last: 21, volume: null },
  ]);
  assert.deepEqual(fitBars([], { close: 21, volume: null }, cents), []);
});
