import assert from 'node:assert/strict';
import { test } from 'node:test';

import { labelOf } from './feed-state.ts';

test('an outcome is counted by its name, a refusal by its reason, and a refused book as such', () => {
  assert.equal(labelOf('accepted'), 'accepted');
  assert.equal(labelOf('superseded'), 'superseded');
  assert.equal(labelOf({ refused: 'not-positive' }), 'not-positive');
  assert.equal(labelOf({ bookRefused: 'not-positive' }), 'book-refused');
});
