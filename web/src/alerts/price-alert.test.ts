import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { Quote } from '../market/api/quote.ts';
import { isArmed, observe, readAlerts } from './price-alert.ts';
import type { AlertWay, PriceAlert } from './price-alert.ts';

const level = 100;

function alertOf(way: AlertWay): PriceAlert {
  return { id: 'a', ticker: 'GGAL', way, price: level };
}

function quoteAt(ultimo: number): Quote {
  const changes = { variacion: null, varMTD: null, varYTD: null, volumen: null };
  return { especie: 'GGAL', fecha: '2026-11-20', hora: '15:00:00', ultimo, ...changes };
}

/** The positions of the prices that fire an alert. */
function firings(way: AlertWay, prices: readonly number[]): readonly number[] {
  let alert = alertOf(way);
  return prices.flatMap((price, at) => {
    const seen = observe(alert, quoteAt(price));
    // What the browser stores is what the next price meets.
    alert = readAlerts(JSON.parse(JSON.stringify([seen.alert])))?.[0] ?? alert;
    return seen.hasCrossed ? [at] : [];
  });
}

test('an alert on a rise fires once when the price reaches it, and again after a fall below it', () => {
  assert.deepEqual(firings('sube', [98, 99, 100, 101, 100, 102, 99, 101]), [2, 7]);
});

test('an alert on a fall fires once when the price reaches it, and again after a rise above it', () => {
  assert.deepEqual(firings('baja', [103, 101, 99, 98, 100, 99, 101, 100]), [2, 7]);
});

test('an alert whose price is already reached does not fire until the price has been on the other side', () => {
  assert.deepEqual(firings('sube', [101, 102, 100]), []);
  assert.deepEqual(firings('sube', [100, 101, 99.99, 100]), [3]);
  assert.equal(isArmed(observe(alertOf('sube'), quoteAt(101)).alert), false);
  assert.equal(isArmed(observe(alertOf('sube'), quoteAt(99)).alert), true);
  assert.equal(isArmed(alertOf('sube')), undefined);
});

test('a crossing keeps its price and time', () => {
  const below = observe(alertOf('sube'), quoteAt(99)).alert;
  const { crossed } = observe(below, quoteAt(105)).alert;
  assert.deepEqual(crossed, { price: 105, fecha: '2026-11-20', hora: '15:00:00' });
});

test('an alert fires as often as the price comes from one side to the other, whatever the prices', () => {
  const price = fc.integer({ min: level - 3, max: level + 3 });
  fc.assert(
    fc.property(fc.array(price), fc.constantFrom<AlertWay>('sube', 'baja'), (prices, way) => {
      const isOrigin = (one = level) => (way === 'sube' ? one < level : one > level);
      const expected = prices.flatMap((one, at) =>
        at > 0 && isOrigin(prices[at - 1]) && !isOrigin(one) ? [at] : [],
      );
      assert.deepEqual(firings(way, prices), expected);
    }),
  );
});

test('stored values that are not alerts are refused', () => {
  const alert = alertOf('sube');
  assert.deepEqual(readAlerts([alert]), [alert]);
  for (const value of [
    null,
    {},
    [null],
    [1],
    [{ ...alert, way: 'up' }],
    [{ ...alert, price: '1' }],
    [{ ...alert, side: 'left' }],
    [{ ...alert, crossed: 1 }],
    [{ ...alert, crossed: { price: 1, fecha: 2 } }],
  ]) {
    assert.equal(readAlerts(value), undefined, JSON.stringify(value));
  }
});
