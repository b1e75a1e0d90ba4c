import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import { renewedBonds } from './renewed-bonds.ts';

test('figures that did not change stay the same objects, and a response without a change the same map', () => {
  const first = renewedBonds(undefined, [
    bondFigures({ especie: 'AL30' }),
    bondFigures({ especie: 'GD30' }),
  ]);
  const same = renewedBonds(first, [
    bondFigures({ especie: 'AL30' }),
    bondFigures({ especie: 'GD30' }),
  ]);
  assert.equal(same, first);
  const next = renewedBonds(first, [
    bondFigures({ especie: 'AL30', tir: 8 }),
    bondFigures({ especie: 'GD30' }),
  ]);
  assert.equal(next.get('AL30')?.tir, 8);
  assert.equal(next.get('GD30'), first.get('GD30'));
});

test('a bond that a response no longer has is gone', () => {
  const first = renewedBonds(undefined, [
    bondFigures({ especie: 'AL30' }),
    bondFigures({ especie: 'GD30' }),
  ]);
  const next = renewedBonds(first, [bondFigures({ especie: 'GD30' })]);
  assert.deepEqual([...next.keys()], ['GD30']);
});
