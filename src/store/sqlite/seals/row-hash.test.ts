import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hashRow } from './row-hash.ts';

test('rows of the same values in other columns have other hashes', () => {
  const rows = [
    ['id', null, 'x'],
    ['id', 'x', null],
    [null, 'id', 'x'],
    ['id', 'x', 1],
    ['id', 1, 'x', null],
    ['id', null, 'x', 1],
  ];
  assert.equal(new Set(rows.map(hashRow)).size, rows.length);
});
