import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { Quote } from '../api/quote.ts';
import {
  isArmed,
  observe,
  valueOf,
  type AlertKind,
  type AlertWay,
  type Condition,
  type Sight,
} from './alert.ts';
import { readSights } from './stored-alerts.ts';

const level = 100;
const friday = '2026-11-20';
const monday = '2026-11-23';

function alertOf(kind: AlertKind, way: AlertWay, at = level): Condition {
  return { ticker: 'GGAL', kind, way, level: at };
}

function quoteOf(changes: Partial<Quote>): Quote {
  const absent = { variacion: null, varMTD: null, varYTD: null, volumen: null };
  return { especie: 'GGAL', fecha: friday, hora: '15:00:00', ultimo: 1, ...absent, ...changes };
}

/** The positions of the quotes that fire an alert. */
function firings(alert: Condition, quotes: readonly Partial<Quote>[]): readonly number[] {
  let seen: Sight | undefined;
  return quotes.flatMap((quote, at) => {
    const { sight, hasCrossed } = observe(alert, seen, quoteOf(quote), 7);
    // What the browser stores is what the next quote meets.
    seen =
      sight === undefined
        ? undefined
        : readSights(JSON.parse(JSON.stringify({ sight })))?.['sight'];
    return hasCrossed ? [at] : [];
  });
}

function ofPrices(way: AlertWay, prices: readonly number[]): readonly number[] {
  return firings(
    alertOf('precio', way),
    prices.map((ultimo) => ({ ultimo })),
  );
}

test('an alert on a rise fires once when the price reaches it, and again after a fall below it', () => {
  assert.deepEqual(ofPrices('sube', [98, 99, 100, 101, 100, 102, 99, 101]), [2, 7]);
});

test('an alert on a fall fires once when the price reaches it, and again after a rise above it', () => {
  assert.deepEqual(ofPrices('baja', [103, 101, 99, 98, 100, 99, 101, 100]), [2, 7]);
});

test('an alert whose price is already reached does not fire until the price has been on the other side', () => {
  assert.deepEqual(ofPrices('sube', [101, 102, 100]), []);
  assert.deepEqual(ofPrices('sube', [100, 101, 99.99, 100]), [3]);
  const alert = alertOf('precio', 'sube');
  const after = (ultimo: number) => observe(alert, undefined, quoteOf({ ultimo }), 7).sight;
  assert.equal(isArmed(alert, after(101)), false);
  assert.equal(isArmed(alert, after(99)), true);
  assert.equal(isArmed(alert, undefined), undefined);
});

test('a crossing keeps its value and time', () => {
  const alert = alertOf('precio', 'sube');
  const below = observe(alert, undefined, quoteOf({ ultimo: 99 }), 7).sight;
  const crossed = observe(alert, below, quoteOf({ ultimo: 105 }), 8).sight?.crossed;
  assert.deepEqual(crossed, { value: 105, fecha: friday, hora: '15:00:00', at: 8 });
});

test('an alert fires as often as the price comes from one side to the other, whatever the prices', () => {
  const price = fc.integer({ min: level - 3, max: level + 3 });
  fc.assert(
    fc.property(fc.array(price), fc.constantFrom<AlertWay>('sube', 'baja'), (prices, way) => {
      const isOrigin = (one = level) => (way === 'sube' ? one < level : one > level);
      const expected = prices.flatMap((one, at) =>
        at > 0 && isOrigin(prices[at - 1]) && !isOrigin(one) ? [at] : [],
      );
      assert.deepEqual(ofPrices(way, prices), expected);
    }),
  );
});

test('a change fires in its direction, and a missing one neither fires nor changes the side', () => {
  const changes = [1, null, 2.9, 3, null, 4, null, 2, 3.5];
  const quotes = changes.map((variacion) => ({ variacion }));
  assert.deepEqual(firings(alertOf('variacion', 'sube', 3), quotes), [3, 8]);
  const falls = [-1, null, -3, -5, null, -2.9, -3].map((variacion) => ({ variacion }));
  assert.deepEqual(firings(alertOf('variacion', 'baja', -3), falls), [2, 6]);
});

test('a session that opens beyond the level of a change fires, because each starts from zero', () => {
  const quotes = [
    { variacion: 1 },
    { variacion: 4 },
    { variacion: 5, fecha: monday },
    { variacion: 5.5, fecha: monday },
  ];
  assert.deepEqual(firings(alertOf('variacion', 'sube', 3), quotes), [1, 2]);
  assert.deepEqual(firings(alertOf('variacion', 'baja', -3), quotes), []);
  assert.deepEqual(firings(alertOf('variacion', 'sube', -3), quotes), []);
});

test('a volume fires once in a session, also if the source corrects it downwards', () => {
  const quotes = [
    { volumen: 40 },
    { volumen: null },
    { volumen: 120 },
    { volumen: 90 },
    { volumen: 130 },
    { volumen: 10, fecha: monday },
    { volumen: 100, fecha: monday },
    { volumen: 500, fecha: '2026-11-24' },
  ];
  assert.deepEqual(firings(alertOf('volumen', 'sube'), quotes), [2, 6, 7]);
});

test('a volume that is first seen beyond the level waits for the next session', () => {
  const quotes = [{ volumen: 300 }, { volumen: 400 }, { volumen: 101, fecha: monday }];
  assert.deepEqual(firings(alertOf('volumen', 'sube'), quotes), [2]);
});

test('the sessions of another service do not count as those that follow', () => {
  const quotes = [
    { variacion: 1, fecha: monday },
    { variacion: 9, fecha: friday },
    { variacion: 1, fecha: friday },
    { variacion: 3, fecha: friday },
  ];
  assert.deepEqual(firings(alertOf('variacion', 'sube', 3), quotes), [3]);
});

test('a spread is the distance of the best orders in percent of their middle', () => {
  assert.equal(valueOf('spread', quoteOf({ compra: 99, venta: 101 })), 2);
  assert.equal(valueOf('spread', quoteOf({ compra: 99, venta: 99 })), 0);
});

test('a spread without one of its orders, or of a crossed book, neither fires nor changes the side', () => {
  const wide = { compra: 98, venta: 102 };
  const narrow = { compra: 99.9, venta: 100.1 };
  const quotes = [wide, { venta: 100 }, { compra: 100 }, {}, { compra: 101, venta: 99 }, narrow];
  assert.deepEqual(firings(alertOf('spread', 'baja', 0.5), quotes), [5]);
  assert.deepEqual(
    firings(alertOf('spread', 'sube', 0.5), [narrow, {}, { compra: 9, venta: 1 }, wide]),
    [3],
  );
});
