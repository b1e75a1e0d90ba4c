import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changedValue } from './changed-values.ts';

test('a value has all its decimals, an amount its currency, and a text stays as it is', () => {
  assert.equal(changedValue(41_205.123_456), '41.205,123456');
  assert.equal(changedValue(10), '10');
  assert.equal(changedValue(0.000_000_25), '0,00000025');
  assert.equal(changedValue('12.5 ARS'), '12,5 ARS');
  assert.equal(changedValue('1250 USD'), '1.250 USD');
  assert.equal(changedValue('import:cierres 1.5.csv'), 'import:cierres 1.5.csv');
  assert.equal(changedValue('META'), 'META');
  assert.equal(changedValue(null), '–');
});
