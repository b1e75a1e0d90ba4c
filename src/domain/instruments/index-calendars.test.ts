import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import { publicationCalendar, settlementCalendar } from './index-calendars.ts';

test('settlements have the business days of BYMA, and publications those of the central bank, where it is a market', () => {
  const byma = sketchMarkets.get('BYMA') ?? assert.fail('no market');
  const bank = { ...byma, code: 'BCRA' };
  const both = { markets: new Map([...sketchMarkets, ['BCRA', bank]]) };
  assert.equal(settlementCalendar(both)?.market, byma);
  assert.equal(publicationCalendar(both)?.market, bank);
  assert.equal(publicationCalendar({ markets: sketchMarkets })?.market, byma);
  const none = { markets: new Map() };
  assert.deepEqual([settlementCalendar(none), publicationCalendar(none)], [undefined, undefined]);
});
