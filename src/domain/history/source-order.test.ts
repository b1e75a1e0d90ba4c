import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceOrder } from './source-order.ts';

const order = new SourceOrder(['data912', 'session', 'byma']);

test('a source is preferred to those that come after it in the configuration', () => {
  assert.equal(order.isPreferred('data912', 'byma'), true);
  assert.equal(order.isPreferred('byma', 'data912'), false);
  assert.equal(order.isPreferred('byma', 'byma'), false);
});

test('no source is preferred to a session, an import, a source that is not configured or one that is not known', () => {
  const others = ['session', 'session:byma', 'import:x.csv', 'demonstration', 'old', undefined];
  for (const other of others) {
    assert.equal(order.isPreferred('data912', other), false, String(other));
    assert.equal(order.isPreferred(other, 'byma'), false, String(other));
  }
});
