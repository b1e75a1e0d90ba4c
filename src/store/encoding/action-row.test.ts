import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fromActionRow } from './action-row.ts';
import type { ActionRow } from './action-row.ts';

test('a row without what its type has is damage of the file', () => {
  const rows: readonly ActionRow[] = [
    ['AL30', 1, 'split', null, null, null, null, 'x'],
    ['AL30', 1, 'cash-dividend', null, 1, null, null, 'x'],
    ['AL30', 1, 'cash-dividend', null, null, 'USD', null, 'x'],
  ];
  for (const row of rows) {
    assert.throws(() => fromActionRow('a.db', row), {
      code: 'corrupt',
      message: new RegExp(`a\\.db .*corporate action AL30 1 ${row[2]} is incomplete`),
    });
  }
});
