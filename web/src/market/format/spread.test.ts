import assert from 'node:assert/strict';
import { test } from 'node:test';

import { spreadOf } from './spread.ts';

test('a spread is in percent of the middle of bid and offer', () => {
  assert.deepEqual(spreadOf({ compra: 99, venta: 101 }), { value: 2, percent: 2 });
  assert.deepEqual(spreadOf({ compra: 10, venta: 10 }), { value: 0, percent: 0 });
});

test('crossed prices have a spread below zero', () => {
  assert.equal(spreadOf({ compra: 101, venta: 99 })?.value, -2);
});

test('without a bid or an offer there is no spread, and around zero no percentage', () => {
  assert.equal(spreadOf({ compra: 1 }), undefined);
  assert.equal(spreadOf({ venta: 1 }), undefined);
  assert.deepEqual(spreadOf({ compra: -1, venta: 1 }), { value: 2, percent: undefined });
});
