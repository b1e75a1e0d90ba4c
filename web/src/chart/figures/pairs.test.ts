import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { Bar } from '../drawing/bars.ts';
import { quotientOf, refusalOf } from './pairs.ts';

const named = (ticker: string, moneda = 'ARS') => ({ ticker, info: { moneda } });
const [al30, gd30, al30d] = [named('AL30'), named('GD30'), named('AL30D', 'USD')];
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

test('prices in pesos and in dollars make a pair only in dollars, and the page says so', () => {
  assert.equal(refusalOf([al30, gd30], 'original'), undefined);
  assert.equal(
    refusalOf([al30, al30d], 'original'),
    'AL30 está en ARS y AL30D en USD. Para ver el cociente, elegir un dólar en «Moneda».',
  );
  assert.equal(refusalOf([al30, al30d], 'ccl'), undefined);
});

test('values that are no money make a pair only among themselves', () => {
  const risk = named('RIESGO PAIS', 'bp');
  assert.equal(
    refusalOf([al30, risk], 'mep'),
    'AL30 está en USD MEP y RIESGO PAIS en puntos básicos, que no se pueden convertir. Para compararlas, elegir «Variación».',
  );
  assert.equal(refusalOf([risk, risk], 'mep'), undefined);
});

test('a day on which only one instrument has a close has no value', () => {
  const first = daily({ '2026-11-18': 81, '2026-11-19': 84, '2026-11-20': 90 });
  const second = daily({ '2026-11-17': 80, '2026-11-18': 90, '2026-11-20': 75 });
  assert.deepEqual(quotientOf(first, second), [
    { time: '2026-11-18', day: '2026-11-18', close: 0.9, volume: null },
    { time: '2026-11-20', day: '2026-11-20', close: 1.2, volume: null },
  ]);
});

test('a quotient by zero has no value', () => {
  const [first, second] = [daily({ '2026-11-20': 5 }), daily({ '2026-11-20': 0 })];
  assert.deepEqual(quotientOf(first, second), []);
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
  assert.deepEqual(values(quotientOf(first, second)), [
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
  assert.deepEqual(values(quotientOf(first, second)), [
    [120, 2],
    [1443 * 60, 5],
  ]);
});

test('a series that is not received makes no line', () => {
  assert.deepEqual(quotientOf([], daily({ '2026-11-20': 5 })), []);
  assert.deepEqual(quotientOf(minutes([[1, 10]]), []), []);
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
          : [[time, one.close / other.close]];
      });
      assert.deepEqual(values(quotientOf(first, second)), wanted);
    }),
  );
});

test('quotients of swapped instruments are inverse', () => {
  const price = fc.double({ min: 0.01, max: 1e6, noNaN: true });
  const days = fc.dictionary(fc.constantFrom('2026-11-18', '2026-11-19', '2026-11-20'), price);
  fc.assert(
    fc.property(days, days, (one, other) => {
      const [first, second] = [daily(one), daily(other)];
      const inverse = new Map(quotientOf(second, first).map((bar) => [bar.time, bar]));
      const ratios = quotientOf(first, second);
      assert.equal(ratios.length, inverse.size);
      for (const { time, close } of ratios) {
        assert.ok(Math.abs(close * (inverse.get(time)?.close ?? 0) - 1) < 1e-9);
      }
    }),
  );
});
