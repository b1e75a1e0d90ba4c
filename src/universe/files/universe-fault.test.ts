import assert from 'node:assert/strict';
import { test } from 'node:test';

import { listed } from './universe-fault.ts';

test('a list of valid values shows 30 of them and counts the rest', () => {
  const values = Array.from({ length: 32 }, (_, index) => `v${index}`);
  assert.equal(listed([]), 'none');
  assert.equal(listed(['a', 'b']), 'a, b');
  assert.equal(listed(values.slice(0, 30)), values.slice(0, 30).join(', '));
  assert.equal(listed(new Set(values)), `${values.slice(0, 30).join(', ')} and 2 more`);
});
