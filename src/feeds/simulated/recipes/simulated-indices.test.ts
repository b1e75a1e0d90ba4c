import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byma, day } from '../../../../test/support/market/bond-samples.ts';
import { addDays, fromEpochDay, toEpochDay } from '../../../domain/calendar/plain-date.ts';
import { faultsOf } from '../../../domain/indices/check-index.ts';
import { indexNames, type IndexName } from '../../../domain/indices/index-name.ts';
import { IndexSeries } from '../../../domain/indices/index-series.ts';
import { Factors } from './factor.ts';
import { SimulatedIndices } from './simulated-indices.ts';

const indices = new SimulatedIndices(new Factors(1), 1);

function published(index: IndexName, local: string, from = '2026-01-01') {
  const now = Date.parse(`${local}-03:00`);
  return indices.published(index, { from: day(from), now, calendar: byma });
}

function lastDay(index: IndexName, local: string): string | undefined {
  const last = published(index, local).at(-1);
  return last && fromEpochDay(last.day);
}

test('CER and UVA are published on the 15th, until the 15th of the next month', () => {
  for (const index of ['CER', 'UVA'] as const) {
    assert.equal(lastDay(index, '2026-11-14T23:59:00'), '2026-11-15');
    assert.equal(lastDay(index, '2026-11-15T00:00:00'), '2026-12-15');
    assert.equal(lastDay(index, '2026-12-31T12:00:00'), '2027-01-15');
  }
});

test('A3500 is published in the afternoon of each business day, the rates of deposits two of them later', () => {
  // The 20th of November 2026 is a Friday, and the Monday after it a holiday.
  assert.equal(lastDay('A3500', '2026-11-20T14:59:59'), '2026-11-19');
  assert.equal(lastDay('A3500', '2026-11-20T15:00:00'), '2026-11-20');
  assert.equal(lastDay('A3500', '2026-11-22T18:00:00'), '2026-11-20');
  for (const index of ['TAMAR', 'BADLAR'] as const) {
    assert.equal(lastDay(index, '2026-11-20T18:00:00'), '2026-11-18');
    assert.equal(lastDay(index, '2026-11-22T18:00:00'), '2026-11-19');
  }
});

test('over years, no index has a gap or a jump, and each covers the next settlement at any hour', () => {
  for (const local of ['2026-11-14T23:00:00', '2026-11-16T00:10:00', '2027-03-01T15:30:00']) {
    for (const index of indexNames) {
      const values = published(index, local, '2024-06-01').map((value) => ({
        index,
        ...value,
        source: 'x',
      }));
      const today = day(local.slice(0, 10));
      const at = { calendar: byma, today };
      assert.deepEqual(faultsOf(index, new IndexSeries(1, values), at), []);
    }
  }
});

test('CER grows by 1.5 to 2.5 % between two 15ths, evenly, and UVA with it', () => {
  const growth = (index: IndexName, from: string, days: number): number => {
    const start = toEpochDay(day(from));
    const end = toEpochDay(addDays(day(from), days));
    return indices.valueOn(index, end) / indices.valueOn(index, start) - 1;
  };
  for (const [from, days] of [
    ['2025-10-15', 31],
    ['2025-12-15', 31],
    ['2026-02-15', 28],
    ['2026-11-15', 30],
  ] as const) {
    const month = growth('CER', from, days);
    assert.ok(month > 0.0149 && month < 0.0251, `${from}: ${month}`);
    const daily = (1 + month) ** (1 / days) - 1;
    assert.ok(Math.abs(growth('CER', from, 1) - daily) < 1e-6);
    assert.ok(Math.abs(growth('UVA', from, days) - month) < 1e-4);
  }
  // Near the published 670.9010 of that day: the terms of bonds have the real values of their issue.
  assert.ok(Math.abs(indices.valueOn('CER', toEpochDay(day('2025-12-20'))) / 670.901 - 1) < 0.01);
});

test('the values depend on the seed and the day alone', () => {
  const today = toEpochDay(day('2026-11-26'));
  const other = new SimulatedIndices(new Factors(2), 2);
  const again = new SimulatedIndices(new Factors(1), 1);
  for (const index of indexNames) {
    assert.equal(again.valueOn(index, today), indices.valueOn(index, today));
    assert.notEqual(other.valueOn(index, today), indices.valueOn(index, today));
  }
});
