import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { allColumns } from '../../market/columns.ts';
import { unfitFields } from './fit-columns.ts';

const columns = allColumns.map(({ field }) => ({ field, width: 80 }));

test('every column is left out in its turn, the price and its change last', () => {
  const order = Array.from({ length: columns.length }, (_, at) =>
    unfitFields(columns, (columns.length - at) * 80),
  );
  for (const [at, unfit] of order.entries()) {
    // The lowest and the highest price are left out together.
    if (columns.length - at >= 4) assert.ok(unfit.length === at || unfit.length === at + 1);
    assert.equal(unfit.includes('minimo'), unfit.includes('maximo'));
    assert.ok(!unfit.includes('ultimo') && !unfit.includes('variacion'));
  }
  assert.equal(new Set(order.flat()).size, columns.length - 4);
  // A column that is missing in the order of importance would be among them.
  const last = columns.map(({ field }) => field).filter((field) => !order.flat().includes(field));
  assert.deepEqual(last.toSorted(), ['rueda', 'ultimo', 'variacion', 'vencimiento']);
});

test('a table for which fewer than four columns fit has all of them, and scrolls', () => {
  assert.deepEqual(unfitFields(columns, 3 * 80), []);
  assert.deepEqual(unfitFields(columns.slice(0, 3), 4 * 80), []);
});

test('what is left fits, and nothing is left out without need', () => {
  const measured = fc.uniqueArray(
    fc.record({
      field: fc.constantFrom(...allColumns.map(({ field }) => field)),
      width: fc.integer({ min: 40, max: 200 }),
    }),
    { selector: ({ field }) => field, minLength: 4 },
  );
  fc.assert(
    fc.property(measured, fc.integer({ min: 0, max: 3_000 }), (some, available) => {
      const unfit = unfitFields(some, available);
      const width = (without: readonly string[]) =>
        some.reduce((sum, one) => sum + (without.includes(one.field) ? 0 : one.width), 0);
      if (unfit.length === 0) return;
      assert.ok(width(unfit) <= available);
      for (const field of unfit.filter((one) => one !== 'minimo' && one !== 'maximo')) {
        assert.ok(width(unfit.filter((one) => one !== field)) > available, field);
      }
    }),
  );
});

test('a column without a value is left out before all others', () => {
  const some = columns.map((one) => ({ ...one, isEmpty: one.field === 'volumen' }));
  assert.deepEqual(unfitFields(some, (some.length - 1) * 80), ['volumen']);
});
