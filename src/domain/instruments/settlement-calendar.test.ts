import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import { settlementCalendar } from './settlement-calendar.ts';

test('the settlement days of Argentina are those of BYMA, or of the central bank in a universe without it', () => {
  const byma = sketchMarkets.get('BYMA') ?? assert.fail('no market');
  const bank = { ...byma, code: 'BCRA' };
  const both = { markets: new Map([['BCRA', bank], ...sketchMarkets]) };
  assert.equal(settlementCalendar(both)?.market, byma);
  assert.equal(settlementCalendar({ markets: new Map([['BCRA', bank]]) })?.market, bank);
  assert.equal(settlementCalendar({ markets: new Map() }), undefined);
});
