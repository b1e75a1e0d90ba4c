import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingCount } from './follow-stream.ts';

test('contract 4.1.5: the names of Missing-Especies are counted, those that it only counts too', () => {
  assert.equal(missingCount(undefined), 0);
  assert.equal(missingCount(''), 0);
  assert.equal(missingCount('DOLAR%20MEP'), 1);
  assert.equal(missingCount('A,B,C'), 3);
  assert.equal(missingCount('A,B,%E2%80%A6+12'), 14);
  assert.equal(missingCount('A,B, %e2%80%a6+12'), 14);
});
