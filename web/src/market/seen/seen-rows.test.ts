import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readSeenRows } from './seen-rows.ts';

const now = Date.parse('2026-11-26T15:00:00Z');
const hourMs = 3_600_000;
const rows = {
  heardAt: now - hourMs,
  tickers: ['GGAL', 'YPFD'],
  quotes: [{ especie: 'GGAL', fecha: '2026-11-26', ultimo: 7410.5, variacion: 0.14 }],
};

test('rows that were seen are read as they were stored, for a week', () => {
  assert.deepEqual(readSeenRows(structuredClone(rows), now), rows);
  assert.deepEqual(readSeenRows(rows, now + 6 * 24 * hourMs), rows);
  assert.equal(readSeenRows(rows, now + 7 * 24 * hourMs), undefined);
});

test('rows of the future and what are no rows are not shown', () => {
  assert.equal(readSeenRows(rows, now - 2 * hourMs), undefined);
  for (const value of [
    undefined,
    null,
    'GGAL',
    { ...rows, heardAt: '12:00' },
    { ...rows, tickers: 'GGAL' },
    { ...rows, quotes: [{ especie: 'GGAL', fecha: '2026-11-26' }] },
  ]) {
    assert.equal(readSeenRows(value, now), undefined);
  }
});
