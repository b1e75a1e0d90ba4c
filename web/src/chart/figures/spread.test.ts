import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { Bar } from '../drawing/bars.ts';
import { spreadName, spreadOf } from './spread.ts';

const daily = (prices: Readonly<Record<string, number>>): readonly Bar[] =>
  Object.entries(prices).map(([day, close]) => ({ time: day, day, close, volume: 1 }));
const minutes = (
  prices: readonly (readonly [minute: number, close: number, day?: string])[],
): readonly Bar[] =>
  prices.map(([minute, close, day = '2026-11-20']) => ({
    time: minute * 60,
    day,
    close,
    range: { open: close, high: close, low: close },
    volume: 1,
  }));
const values = (bars: readonly Bar[]) => bars.map(({ time, close }) => [time, close]);

test('a day on which only one instrument has a close has no value', () => {
  const first = daily({ '2026-11-18': 81, '2026-11-19': 84, '2026-11-20': 90 });
  const second = daily({ '2026-11-17': 80, '2026-11-18': 90, '2026-11-20': 75 });
  assert.deepEqual(spreadOf(first, second, 'cociente'), [
    { time: '2026-11-18', day: '2026-11-18', close: 0.9, volume: null },
    { time: '2026-11-20', day: '2026-11-20', close: 1.2, volume: null },
  ]);
  assert.deepEqual(values(spreadOf(first, second, 'diferencia')), [
    ['2026-11-18', -9],
    ['2026-11-20', 15],
  ]);
});

test('a quotient by zero has no value, and a difference with zero has one', () => {
  const [first, second] = [daily({ '2026-11-20': 5 }), daily({ '2026-11-20': 0 })];
  assert.deepEqual(spreadOf(first, second, 'cociente'), []);
  assert.deepEqual(values(spreadOf(first, second, 'diferencia')), [['2026-11-20', 5]]);
});

test('intraday, a bar of either instrument is paired with the latest price of the other', () => {
  const first = minutes([
    [1, 10],
    [3, 12],
    [6, 18],
  ]);
  const second = minutes([
    [2, 2],
    [3, 3],
    [5, 4],
  ]);
  // Before minute 2 the second one has no price.
  assert.deepEqual(values(spreadOf(first, second, 'cociente')), [
    [120, 5],
    [180, 4],
    [300, 3],
    [360, 4.5],
  ]);
});

test('intraday, a price of an earlier session is never paired', () => {
  const first = minutes([
    [1, 10, '2026-11-19'],
    [1441, 20],
  ]);
  const second = minutes([
    [2, 5, '2026-11-19'],
    [1443, 4],
  ]);
  assert.deepEqual(values(spreadOf(first, second, 'cociente')), [
    [120, 2],
    [1443 * 60, 5],
  ]);
});

test('a series that is not received makes no line', () => {
  assert.deepEqual(spreadOf([], daily({ '2026-11-20': 5 }), 'cociente'), []);
  assert.deepEqual(spreadOf(minutes([[1, 10]]), [], 'diferencia'), []);
});

test('pairs of minutes are those that a search for each minute finds', () => {
  const series = fc
    .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 30 })
    .map((found) => minutes(found.toSorted((a, b) => a - b).map((one) => [one, 1 + one * 7])));
  fc.assert(
    fc.property(series, series, (first, second) => {
      const wanted = Array.from({ length: 61 }, (_, minute) => minute * 60).flatMap((time) => {
        const isBar = [...first, ...second].some((bar) => bar.time === time);
        const one = first.findLast((bar) => Number(bar.time) <= time);
        const other = second.findLast((bar) => Number(bar.time) <= time);
        return !isBar || one === undefined || other === undefined
          ? []
          : [[time, one.close - other.close]];
      });
      assert.deepEqual(values(spreadOf(first, second, 'diferencia')), wanted);
    }),
  );
});

test('quotients of swapped instruments are inverse, and differences opposite', () => {
  const price = fc.double({ min: 0.01, max: 1e6, noNaN: true });
  const days = fc.dictionary(fc.constantFrom('2026-11-18', '2026-11-19', '2026-11-20'), price);
  fc.assert(
    fc.property(days, days, (one, other) => {
      const [first, second] = [daily(one), daily(other)];
      const inverse = new Map(spreadOf(second, first, 'cociente').map((bar) => [bar.time, bar]));
      const ratios = spreadOf(first, second, 'cociente');
      assert.equal(ratios.length, inverse.size);
      for (const { time, close } of ratios) {
        assert.ok(Math.abs(close * (inverse.get(time)?.close ?? 0) - 1) < 1e-9);
      }
      const opposite = new Map(
        spreadOf(second, first, 'diferencia').map((bar) => [bar.time, bar.close]),
      );
      for (const { time, close } of spreadOf(first, second, 'diferencia')) {
        assert.equal(close + (opposite.get(time) ?? 1), 0);
      }
    }),
  );
});

test('the name of a line says what it is', () => {
  assert.equal(spreadName('AL30', 'GD30', 'cociente'), 'AL30/GD30');
  assert.equal(spreadName('AL30', 'GD30', 'diferencia'), 'AL30 − GD30');
});
