import assert from 'node:assert/strict';
import { test } from 'node:test';

import { emptySeries } from './daily-close.ts';

test('the empty series has no row in any column', () => {
  const { days, closes, volumes } = emptySeries;
  assert.deepEqual([days.length, closes.length, volumes.length], [0, 0, 0]);
});
