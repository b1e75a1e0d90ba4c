import assert from 'node:assert/strict';
import { test } from 'node:test';

import { convertSeries, type ConvertedCurrency } from './convert-series.ts';

const unknown = Number.NaN;

const series = {
  days: Int32Array.of(10, 11, 12, 20),
  closes: Float64Array.of(1000, 2000, 3000, 4000),
  opens: Float64Array.of(900, unknown, 3000, 4000),
  volumes: Float64Array.of(5, 6, unknown, 8),
  adjustedRows: 0,
  unapplied: [],
};

/** The closes of a dollar on two days. */
const dollar = {
  days: Int32Array.of(10, 12),
  closes: Float64Array.of(1000, 1500),
  volumes: Float64Array.of(unknown, unknown),
};

function converted(from: string, to: ConvertedCurrency) {
  const found = convertSeries(series, { from, to, dollar });
  const { days, closes, opens, volumes, adjustedRows } = found.series;
  return {
    rows: Array.from(days, (day, at) => [day, closes[at], opens[at], volumes[at]]),
    adjustedRows,
    omitted: found.omitted,
  };
}

test('contract 4.2.17: each price is divided by the close of its day or the last one before; a volume stays', () => {
  assert.deepEqual(converted('ARS', 'USD'), {
    rows: [
      [10, 1, 0.9, 5],
      [11, 2, unknown, 6],
      [12, 2, 2, unknown],
    ],
    adjustedRows: 3,
    omitted: 1,
  });
});

test('contract 4.2.17: dollars become pesos by multiplication', () => {
  assert.deepEqual(
    converted('USD', 'ARS').rows.map(([, close]) => close),
    [1_000_000, 2_000_000, 4_500_000],
  );
});

function omittedWithLast(day: number): number {
  const later = { ...series, days: Int32Array.of(10, 11, 12, day) };
  return convertSeries(later, { from: 'ARS', to: 'USD', dollar }).omitted;
}

test('contract 4.2.17: a close of seven days before converts, one of eight days does not', () => {
  assert.equal(omittedWithLast(19), 0);
  assert.equal(omittedWithLast(20), 1);
});

test('contract 4.2.17: prices in the wanted currency stay, and other units have no price in it', () => {
  assert.deepEqual(convertSeries(series, { from: 'USD', to: 'USD', dollar }), {
    series,
    omitted: 0,
  });
  assert.deepEqual(converted('%', 'USD'), { rows: [], adjustedRows: 0, omitted: 4 });
});

test('contract 4.2.17: a row before the first close of the dollar is left out', () => {
  const later = { ...dollar, days: Int32Array.of(11, 12) };
  assert.equal(convertSeries(series, { from: 'ARS', to: 'USD', dollar: later }).omitted, 2);
});
