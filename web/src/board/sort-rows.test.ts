import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Quote } from '../api/quote.ts';
import { nextSorting, sortRows } from './sort-rows.ts';
import type { Sorting } from './sort-rows.ts';

const base = { fecha: '2026-11-20', variacion: null, varMTD: null, varYTD: null, volumen: null };
const quotes: readonly Quote[] = [
  { ...base, especie: 'GD30', ultimo: 3, variacion: 1, hora: '12:00:00' },
  { ...base, especie: 'AL30', ultimo: 1 },
  { ...base, especie: 'AL4', ultimo: 2, variacion: -1, fecha: '2026-11-19', hora: '16:00:00' },
];

function order(field: Sorting['field'], isDescending: boolean): string {
  return sortRows(quotes, { field, isDescending })
    .map(({ especie }) => especie)
    .join(' ');
}

test('rows are sorted by numbers, by names as people count, and by day before time', () => {
  assert.equal(order('ultimo', true), 'GD30 AL4 AL30');
  assert.equal(order('especie', false), 'AL4 AL30 GD30');
  assert.equal(order('hora', false), 'AL4 AL30 GD30');
});

test('what has no value is last either way round', () => {
  assert.equal(order('variacion', true), 'GD30 AL4 AL30');
  assert.equal(order('variacion', false), 'AL4 GD30 AL30');
});

test('clicks on a column go one way, then the other, then back to the order of the panel', () => {
  const first = nextSorting(undefined, 'ultimo');
  assert.deepEqual(first, { field: 'ultimo', isDescending: true });
  const second = nextSorting(first, 'ultimo');
  assert.deepEqual(second, { field: 'ultimo', isDescending: false });
  assert.equal(nextSorting(second, 'ultimo'), undefined);
  assert.deepEqual(nextSorting(second, 'especie'), { field: 'especie', isDescending: false });
});
