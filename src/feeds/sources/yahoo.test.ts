import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { FactorAction } from '../../domain/history/corporate-action.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { SentBar } from '../net/daily-history.ts';
import { asTraded } from './yahoo.ts';

function split(date: string, factor: number): FactorAction {
  const exDay = toEpochDay(date as PlainDate);
  return { ticker: 'YPFD' as Ticker, exDay, type: 'split', factor, source: 'x' };
}

function bar(date: string | undefined, close: unknown, more: Partial<SentBar> = {}): SentBar {
  return { date: date as PlainDate | undefined, close, ...more };
}

function closesOf(
  bars: readonly SentBar[],
  ...splits: readonly FactorAction[]
): readonly unknown[] {
  return asTraded(bars, splits).map(({ close }) => close);
}

test('prices of days before a split are multiplied by its factor, and volumes divided', () => {
  const whole = { open: 124.9, high: 126, low: 124, volume: 28_000 };
  const [before, onDay] = asTraded(
    [bar('2020-08-28', 124.8075, whole), bar('2020-08-31', 129.04, whole)],
    [split('2020-08-31', 4)],
  );
  assert.deepEqual(before, {
    date: '2020-08-28',
    open: 499.6,
    high: 504,
    low: 496,
    close: 499.23,
    volume: 7_000,
  });
  assert.deepEqual(onDay, bar('2020-08-31', 129.04, whole));
});

test('all later splits count, and bars without a split stay the same objects', () => {
  const bars = [bar('2021-07-19', 18.7), bar('2021-07-20', 18.6), bar('2024-06-10', 121.8)];
  assert.deepEqual(
    closesOf(bars, split('2021-07-20', 4), split('2024-06-10', 10)),
    [748, 186, 121.8],
  );
  assert.equal(asTraded(bars, []), bars);
});

test('what is no price, no volume or no date is left as it was sent', () => {
  const [none, dateless] = asTraded(
    [
      bar('2020-08-28', null, { open: 'x', volume: 0 }),
      bar(undefined, 5),
      bar('2020-08-31', 129.04),
    ],
    [split('2020-08-31', 4)],
  );
  assert.deepEqual([none?.close, none?.open, none?.high, none?.volume], [null, 'x', undefined, 0]);
  assert.equal(dateless?.close, 5);
});

test('a split that the source did not adjust is visible in its bars, and nothing is undone', () => {
  const bars = [bar('2026-08-21', 45_120), bar('2026-08-24', 4_512), bar('2026-08-25', 4_600)];
  assert.equal(asTraded(bars, [split('2026-08-24', 10)]), bars);
  const unpriced = [bar('2026-08-20', 45_120), bar('2026-08-21', null), bar('2026-08-24', null)];
  const both = [...unpriced, bar('2026-08-25', 4_512)];
  assert.equal(asTraded(both, [split('2026-08-24', 10)]), both);
  const reverse = [bar('2026-08-21', 1), bar('2026-08-24', 10)];
  assert.equal(asTraded(reverse, [split('2026-08-24', 0.1)]), reverse);
});

/** The close before a split of four for one, undone, with this close after it. */
function around(after: number): unknown {
  const bars = [bar('2026-08-21', 100), bar('2026-08-24', after)];
  return closesOf(bars, split('2026-08-24', 4))[0];
}

test('a split is judged by the price that is nearer: unmoved, or moved by the factor', () => {
  assert.equal(around(50.1), 400);
  assert.equal(around(49.9), 100);
});

test('a small factor, and a split without bars on both sides, are trusted to be adjusted', () => {
  const fallen = [bar('2026-08-21', 109), bar('2026-08-24', 100)];
  assert.deepEqual(closesOf(fallen, split('2026-08-24', 1.09)), [118.81, 100]);
  assert.deepEqual(closesOf([bar('2026-08-21', 100)], split('2026-08-24', 10)), [1_000]);
  assert.deepEqual(closesOf([bar('2026-08-24', 100)], split('2026-08-24', 10)), [100]);
});
