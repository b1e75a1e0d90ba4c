import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  formatChange,
  formatChartTime,
  formatDay,
  formatFixed,
  formatPercent,
  formatPrice,
  formatVolume,
  priceDecimals,
} from './numbers.ts';

test('prices are formatted as in Argentina', () => {
  assert.equal(formatPrice(91_250.5), '91.250,50');
  assert.equal(formatPrice(2_310_450.12), '2.310.450,12');
  assert.equal(formatPrice(2_310_450.12, priceDecimals([2_310_450.12, 2_300_000])), '2.310.450');
  assert.equal(formatPrice(1.1634), '1,1634');
  assert.equal(formatPrice(88.35), '88,35');
  assert.equal(formatPrice(0), '0,00');
  assert.equal(formatPrice(undefined), '–');
});

test('a price other than zero is never shown as zero', () => {
  assert.equal(formatPrice(0.000_000_123_456), '0,0000001235');
  assert.equal(formatPrice(-0.4), '−0,40');
});

test('the prices of one row are shown with the same decimals', () => {
  const row = [49.25, 1.1634, undefined, 1200];
  const decimals = priceDecimals(row);
  assert.equal(decimals, 4);
  assert.deepEqual(
    row.map((value) => formatPrice(value, decimals)),
    ['49,2500', '1,1634', '–', '1.200,0000'],
  );
  assert.equal(priceDecimals([100, 200.5]), 2);
  assert.equal(priceDecimals([1482.3625, 90_000.12345678]), 8, 'no price is rounded');
  assert.equal(priceDecimals([]), 2);
});

test('a change has its sign and its unit', () => {
  assert.equal(formatChange(1.37, 'percent'), '+1,37\u00a0%');
  assert.equal(formatChange(-12, 'points'), '−12,00\u00a0pts');
  assert.equal(formatChange(0, 'percent'), '0,00\u00a0%');
  assert.equal(formatChange(0, undefined), '0,00');
  assert.equal(formatChange(null, 'percent'), '–');
});

test('a rate has a sign only below zero, and none if it is rounded to zero', () => {
  assert.equal(formatPercent(7.7451), '7,75\u00a0%');
  assert.equal(formatPercent(-1101.5), '−1.101,50\u00a0%');
  assert.equal(formatPercent(-0.004), '0,00\u00a0%');
  assert.equal(formatPercent(null), '–');
  assert.equal(formatFixed(1.8422, 2), '1,84');
});

test('volumes are whole numbers, except below one', () => {
  assert.equal(formatVolume(98_231_004), '98.231.004');
  assert.equal(formatVolume(0.000_000_25), '0,00000025');
  assert.equal(formatVolume(0), '0');
  assert.equal(formatVolume(null), '–');
});

test('dates start with the day', () => assert.equal(formatDay('2026-11-20'), '20/11/2026'));

test('a chart shows a day, or a minute as the clock of Buenos Aires shows it', () => {
  assert.equal(formatChartTime('2026-11-20'), '20/11/2026');
  assert.equal(formatChartTime(Date.UTC(2026, 10, 20, 17, 5) / 1000), '20/11/2026 17:05');
});
