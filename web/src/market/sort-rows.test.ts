import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../test/support/market/bond-figures.ts';
import type { Row } from './live-quotes.ts';
import { nextSorting, sortRows, type Sorting } from './sort-rows.ts';

const base = { fecha: '2026-11-20', variacion: null, varMTD: null, varYTD: null, volumen: null };
const rows: readonly Row[] = [
  { ...base, especie: 'GD30', ultimo: 3, variacion: 1, hora: '12:00:00' },
  { ...base, especie: 'AL30', ultimo: 1 },
  { ...base, especie: 'AL4', ultimo: 2, variacion: -1, fecha: '2026-11-19', hora: '16:00:00' },
].map((quote) => ({ ticker: quote.especie, quote }));

function order(field: Sorting['field'], isDescending: boolean): string {
  return sortRows([{ ticker: 'AE38', quote: undefined }, ...rows], { field, isDescending })
    .map(({ ticker }) => ticker)
    .join(' ');
}

test('rows are sorted by number, by name with numbers in natural order, and by day before time', () => {
  assert.equal(order('ultimo', true), 'GD30 AL4 AL30 AE38');
  assert.equal(order('especie', false), 'AE38 AL4 AL30 GD30');
  assert.equal(order('hora', false), 'AL4 AL30 GD30 AE38');
});

test('rows without a value or without a quote are last in both directions', () => {
  assert.equal(order('variacion', true), 'GD30 AL4 AE38 AL30');
  assert.equal(order('variacion', false), 'AL4 GD30 AE38 AL30');
});

test('rows are sorted by the yield, with bonds without one last in both directions', () => {
  const yields: Readonly<Record<string, number | null>> = { AL30: 8, GD30: null, AL4: 12 };
  const sorted = (isDescending: boolean) =>
    sortRows(rows, { field: 'tir', isDescending }, (ticker) => ({
      info: undefined,
      bond: bondFigures({
        tir: yields[ticker] ?? null,
        fecha: ticker === 'AL4' ? '2026-11-19' : '2026-11-20',
      }),
    }))
      .map(({ ticker }) => ticker)
      .join(' ');
  assert.equal(sorted(true), 'AL4 AL30 GD30');
  assert.equal(sorted(false), 'AL30 AL4 GD30');
});

test('clicks on a column sort in one direction, then in the other, then restore the order of the panel', () => {
  const first = nextSorting(undefined, 'ultimo');
  assert.deepEqual(first, { field: 'ultimo', isDescending: true });
  const second = nextSorting(first, 'ultimo');
  assert.deepEqual(second, { field: 'ultimo', isDescending: false });
  assert.equal(nextSorting(second, 'ultimo'), undefined);
  assert.deepEqual(nextSorting(second, 'especie'), { field: 'especie', isDescending: false });
});
