import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAlerts, readSights } from './stored-alerts.ts';

const alert = { id: 'a', ticker: 'GGAL', kind: 'spread', way: 'baja', level: 0.5 };
const crossed = { value: 105, fecha: '2026-11-20', at: 7 };
const sight = { side: 'at', session: '2026-11-20', crossed };

test('stored alerts and what was seen of them are read', () => {
  const all = [alert, { ...alert, isPaused: true }, { ...alert, dismissed: 5 }];
  assert.deepEqual(readAlerts(all), all);
  assert.deepEqual(readSights({ a: sight }), { a: sight });
});

test('stored values that are not alerts are refused', () => {
  for (const value of [
    null,
    {},
    [null],
    [1],
    [{ ...alert, way: 'up' }],
    [{ ...alert, kind: 'price' }],
    [{ ...alert, level: '1' }],
    [{ ...alert, isPaused: false }],
    [{ ...alert, dismissed: '1' }],
  ]) {
    assert.equal(readAlerts(value), undefined, JSON.stringify(value));
  }
  for (const value of [
    null,
    [],
    { a: 1 },
    { a: { ...sight, side: 'left' } },
    { a: { ...sight, session: 1 } },
    { a: { ...sight, crossed: 1 } },
    { a: { ...sight, crossed: { ...crossed, value: null } } },
    { a: { ...sight, crossed: { ...crossed, hora: 5 } } },
  ]) {
    assert.equal(readSights(value), undefined, JSON.stringify(value));
  }
});
