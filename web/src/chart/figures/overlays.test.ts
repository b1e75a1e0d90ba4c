import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { averageKinds, periodsMin } from '../../places/chart-choices.ts';
import { dailyBars } from '../drawing/bars.ts';
import { linesOf } from '../drawing/chart-content.ts';
import { averageOf, overlaysOf } from './overlays.ts';

const closes = [10, 20, 30, 40].map((ultimo, at) => ({
  especie: 'X',
  fecha: `2026-11-${17 + at}`,
  ultimo,
  volumen: 1,
}));
const lines = [{ name: 'X', unit: 'ARS', color: 1, bars: dailyBars(closes) }];
const averages = [
  { kind: 'simple', periods: 2 },
  { kind: 'exponencial', periods: 3 },
] as const;
const texts = (
  points: readonly { readonly time: string | number; readonly value: number }[] = [],
) => points.map(({ time, value }) => `${time}: ${value.toFixed(2)}`);

test('averages of prices are of the whole series', () => {
  const [line] = linesOf(lines, { from: '2026-11-20', isRebased: false });
  const [simple, exponential, ...others] = overlaysOf(line, {
    averages,
    indicators: [],
    isWeighted: false,
    isRebased: false,
  });
  assert.deepEqual(texts(simple?.points), [
    '2026-11-18: 15.00',
    '2026-11-19: 25.00',
    '2026-11-20: 35.00',
  ]);
  assert.deepEqual(texts(exponential?.points), ['2026-11-19: 22.50', '2026-11-20: 31.25']);
  assert.deepEqual([simple?.name, exponential?.name], ['SMA 2', 'EMA 3']);
  assert.deepEqual(others, []);
});

test('averages of changes have the base of their line, and count closes before it', () => {
  const [line] = linesOf(lines, { from: '2026-11-18', isRebased: true });
  const [simple] = overlaysOf(line, {
    averages,
    indicators: [],
    isWeighted: false,
    isRebased: true,
  });
  // The base is 20: 15 is 75 %, although the line itself begins with 100 %.
  assert.deepEqual(texts(simple?.points), [
    '2026-11-18: 75.00',
    '2026-11-19: 125.00',
    '2026-11-20: 175.00',
  ]);
});

test('the weighted price comes last, and a line without values has no overlays', () => {
  const options = { averages, indicators: [], isWeighted: true, isRebased: false };
  const [line] = linesOf(lines, { from: '2026-11-17', isRebased: false });
  const names = overlaysOf(line, options).map(({ name, isDashed }) => [name, isDashed]);
  assert.deepEqual(names.at(-1), ['VWAP', true]);
  assert.deepEqual(overlaysOf(undefined, options), []);
  const [empty] = linesOf(
    lines.map((one) => ({ ...one, bars: [] })),
    { from: '2026-11-17', isRebased: true },
  );
  for (const { points } of overlaysOf(empty, { ...options, isRebased: true })) {
    assert.deepEqual(points, []);
  }
});

/** The definitions, computed for each point by itself. */
const naive = {
  simple: (values: readonly number[], periods: number, at: number): number =>
    values.slice(at - periods + 1, at + 1).reduce((sum, value) => sum + value / periods, 0),
  exponencial: (values: readonly number[], periods: number, at: number): number => {
    const weight = 2 / (periods + 1);
    const [first = 0, ...later] = values.slice(0, at + 1);
    // The sum of all weighted values: none of the averages between is used.
    return later.reduce(
      (sum, value, index) => sum + value * weight * (1 - weight) ** (later.length - 1 - index),
      first * (1 - weight) ** later.length,
    );
  },
};

test('averages are what their definitions say, from the first full window on', () => {
  const cases = fc.record({
    values: fc.array(fc.double({ min: 0.01, max: 5_000_000, noNaN: true }), { maxLength: 300 }),
    kind: fc.constantFrom(...averageKinds),
    periods: fc.integer({ min: periodsMin, max: 40 }),
  });
  fc.assert(
    fc.property(cases, ({ values, kind, periods }) => {
      const points = values.map((value, time) => ({ time, value }));
      const average = averageOf(points, { kind, periods });
      assert.equal(average.length, Math.max(0, values.length - periods + 1));
      for (const { time, value } of average) {
        const wanted = naive[kind](values, periods, Number(time));
        assert.ok(Math.abs(value - wanted) <= 1e-6 + 1e-9 * wanted, `${value}, not ${wanted}`);
      }
    }),
    { numRuns: 60 },
  );
});

/** The smoothing of Wilder: the mean of the first 14 values, then 1/14 of each new one. */
const smooth = (all: readonly number[]) =>
  all.slice(14).reduce(
    (average, one) => (average * 13 + one) / 14,
    all.slice(0, 14).reduce((sum, one) => sum + one / 14, 0),
  );

test('indicators are what their definitions say, and those beside the price are no changes', () => {
  const rows = Array.from({ length: 60 }, (_, at) => ({
    especie: 'X',
    fecha: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
    ultimo: 100 + 10 * Math.sin(at / 3) + at,
    volumen: 1,
  }));
  const prices = rows.map(({ ultimo }) => ultimo);
  const [line] = linesOf(
    lines.map((one) => ({ ...one, bars: dailyBars(rows) })),
    { from: '2026-01-01', isRebased: true },
  );
  const shown = overlaysOf(line, {
    averages: [],
    indicators: ['bollinger', 'rsi', 'macd'],
    isWeighted: false,
    isRebased: true,
  });
  const last = new Map(shown.map(({ name, points }) => [name, points.at(-1)?.value ?? 0]));
  const near = (name: string, wanted: number) =>
    assert.ok(
      Math.abs((last.get(name) ?? 0) - wanted) < 1e-6,
      `${name}: ${last.get(name)}, not ${wanted}`,
    );
  const window = prices.slice(-20);
  const mean = window.reduce((sum, one) => sum + one / 20, 0);
  const deviation = Math.sqrt(window.reduce((sum, one) => sum + (one - mean) ** 2 / 20, 0));
  const base = prices[0] ?? 1;
  near('Bollinger 20, +2', ((mean + 2 * deviation) / base) * 100);
  near('Bollinger 20, −2', ((mean - 2 * deviation) / base) * 100);
  const changes = prices.slice(1).map((price, at) => price - (prices[at] ?? 0));
  const [gain, loss] = [
    smooth(changes.map((one) => Math.max(0, one))),
    smooth(changes.map((one) => Math.max(0, -one))),
  ];
  near('RSI 14', 100 - 100 / (1 + gain / loss));
  const macd = prices.map(
    (_, at) => naive.exponencial(prices, 12, at) - naive.exponencial(prices, 26, at),
  );
  near('MACD 12, 26', macd.at(-1) ?? 0);
  const known = macd.slice(25);
  near('Señal 9', naive.exponencial(known, 9, known.length - 1));
  assert.deepEqual([...new Set(shown.map(({ pane }) => pane))], ['price', 'rsi', 'macd']);
});
