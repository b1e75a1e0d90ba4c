import assert from 'node:assert/strict';
import { test } from 'node:test';

import { actionTable } from './actions.ts';
import { termsTable } from './terms.ts';

const damaged = (reason: string): Error => new Error(`damaged: ${reason}`);

test('an action without what its type has is damage', () => {
  for (const [type, ...values] of [
    ['split', null, null, null],
    ['cash-dividend', null, 1, null],
    ['cash-dividend', null, null, 'USD'],
  ] as const) {
    const row = ['AL30', 1, type, ...values, null, 'x'];
    const message = `damaged: the corporate action AL30 1 ${type} is incomplete`;
    assert.throws(() => actionTable.fromRow(row, damaged), { message });
  }
});

test('terms that are no object of JSON are damage', () => {
  for (const text of ['{', '1', 'null', '']) {
    const message = 'damaged: the terms of AL30 are not readable';
    assert.throws(() => termsTable.fromRow(['AL30', '', text], damaged), { message });
  }
});
