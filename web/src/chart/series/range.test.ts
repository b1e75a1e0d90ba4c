import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rangeStart } from './range.ts';

test('a range begins its months before today, whatever the days of its series', () => {
  assert.equal(rangeStart('2026-11-24', '1m'), '2026-10-24');
  assert.equal(rangeStart('2026-11-24', '3m'), '2026-08-24');
  assert.equal(rangeStart('2026-02-10', '6m'), '2025-08-10');
  assert.equal(rangeStart('2026-11-24', '1a'), '2025-11-24');
  assert.equal(rangeStart('2026-11-24', '3a'), '2023-11-24');
  assert.equal(rangeStart('2026-11-24', '5a'), '2021-11-24');
});

test('in a month that is too short, a range begins on its last day', () => {
  assert.equal(rangeStart('2026-03-31', '1m'), '2026-02-28');
  assert.equal(rangeStart('2028-02-29', '1a'), '2027-02-28');
});
