import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dailyBars } from '../drawing/bars.ts';
import { linesOf } from '../drawing/chart-content.ts';
import { overlaysOf } from './overlays.ts';

const closes = [10, 20, 30, 40].map((ultimo, at) => ({
  especie: 'X',
  fecha: `2026-11-${17 + at}`,
  ultimo,
  volumen: 1,
}));
const lines = { names: ['X'], units: ['ARS'], colors: [1], bars: [dailyBars(closes)] };
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
    isWeighted: false,
    isRebased: false,
  });
  assert.deepEqual(texts(simple?.points), [
    '2026-11-18: 15.00',
    '2026-11-19: 25.00',
    '2026-11-20: 35.00',
  ]);
  assert.deepEqual(texts(exponential?.points), ['2026-11-19: 20.00', '2026-11-20: 30.00']);
  assert.deepEqual([simple?.name, exponential?.name], ['Prom. simple 2', 'Prom. exp. 3']);
  assert.deepEqual(others, []);
});

test('averages of changes have the base of their line, and count closes before it', () => {
  const [line] = linesOf(lines, { from: '2026-11-18', isRebased: true });
  const [simple] = overlaysOf(line, { averages, isWeighted: false, isRebased: true });
  // The base is 20: 15 is 75 %, although the line itself begins with 100 %.
  assert.deepEqual(texts(simple?.points), [
    '2026-11-18: 75.00',
    '2026-11-19: 125.00',
    '2026-11-20: 175.00',
  ]);
});

test('the weighted price comes last, and a line without values has no overlays', () => {
  const options = { averages, isWeighted: true, isRebased: false };
  const [line] = linesOf(lines, { from: '2026-11-17', isRebased: false });
  const names = overlaysOf(line, options).map(({ name, isDashed }) => [name, isDashed]);
  assert.deepEqual(names.at(-1), ['VWAP', true]);
  assert.deepEqual(overlaysOf(undefined, options), []);
  const [empty] = linesOf({ ...lines, bars: [[]] }, { from: '2026-11-17', isRebased: true });
  for (const { points } of overlaysOf(empty, { ...options, isRebased: true })) {
    assert.deepEqual(points, []);
  }
});
