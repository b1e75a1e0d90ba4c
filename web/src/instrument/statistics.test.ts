import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { HistoryRow } from '../market/api/quote.ts';
import { rangeStart } from '../chart/series/range.ts';
import { statisticsOf } from './statistics.ts';

function closes(...values: readonly number[]): readonly HistoryRow[] {
  return values.map((ultimo, at) => ({
    especie: 'X',
    fecha: `2026-11-0${at + 1}`,
    ultimo,
    volumen: at === 0 ? null : at * 10,
  }));
}

test('statistics name the extremes with their days', () => {
  const found = statisticsOf(closes(100, 120, 60, 90));
  assert.equal(found?.sessions, 4);
  assert.equal(found?.highest.fecha, '2026-11-02');
  assert.equal(found?.lowest.fecha, '2026-11-03');
  assert.equal(found?.mean, 92.5);
  assert.equal(found?.meanVolume, 20);
  assert.ok(Math.abs((found?.changePct ?? 0) + 10) < 1e-9);
});

test('the maximum drawdown is from a peak to a later close', () => {
  assert.equal(statisticsOf(closes(100, 120, 60, 90))?.drawdownPct, -50);
  assert.equal(statisticsOf(closes(50, 60, 70))?.drawdownPct, 0);
});

test('a steady rise has zero volatility, and a single return has no volatility', () => {
  assert.ok(Math.abs(statisticsOf(closes(1, 2, 4, 8))?.volatilityPct ?? 1) < 1e-9);
  assert.equal(statisticsOf(closes(1, 2))?.volatilityPct, null);
});

test('closes that include zero have no statistics in percent', () => {
  const found = statisticsOf(closes(-1, 0, 2));
  assert.equal(found?.changePct, null);
  assert.equal(found?.drawdownPct, null);
  assert.equal(found?.volatilityPct, null);
  assert.equal(found?.mean, 1 / 3);
});

test('without closes there are no statistics', () => assert.equal(statisticsOf([]), undefined));

test('a range goes back by calendar months', () => {
  assert.equal(rangeStart('2026-11-20', '1a'), '2025-11-20');
  assert.equal(rangeStart('2026-03-31', '1m'), '2026-02-28');
  assert.equal(rangeStart('2024-02-29', '5a'), '2019-02-28');
  assert.equal(rangeStart('2026-11-20', 'max'), '1900-01-01');
});
