import assert from 'node:assert/strict';
import { test } from 'node:test';

import { maturityOf } from './instrument-facts.ts';

test('the maturity is the date of the name, and never a guess from a year', () => {
  assert.equal(maturityOf({ nombre: 'LECAP vto. 30/11/2026 (ISIN AR0451031345)' }), '2026-11-30');
  assert.equal(maturityOf({ nombre: 'Bono Global Rep. Argentina USD Step Up 2030' }), undefined);
  assert.equal(maturityOf(undefined), undefined);
});
