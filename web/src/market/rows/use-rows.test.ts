import assert from 'node:assert/strict';
import { test } from 'node:test';

import { renewedRows } from './use-rows.ts';

interface Row {
  readonly name: string;
  readonly price: number;
}

const nameOf = ({ name }: Row) => name;
const rows = (al30: number): readonly Row[] => [
  { name: 'AL30', price: al30 },
  { name: 'GD30', price: 2 },
];

test('rows that did not change stay the same objects, and a response without a change the same map', () => {
  const first = renewedRows(undefined, rows(1), nameOf);
  assert.equal(renewedRows(first, rows(1), nameOf), first);
  const next = renewedRows(first, rows(8), nameOf);
  assert.equal(next.get('AL30')?.price, 8);
  assert.equal(next.get('GD30'), first.get('GD30'));
});

test('a row that a response no longer has is gone', () => {
  const first = renewedRows(undefined, rows(1), nameOf);
  const next = renewedRows(first, rows(1).slice(1), nameOf);
  assert.deepEqual([...next.keys()], ['GD30']);
});
