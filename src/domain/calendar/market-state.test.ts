import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at } from '../../../test/support/market/drive-engine.ts';
import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import { marketStateAt } from './market-state.ts';
import { SessionCalendar } from './session-calendar.ts';

const byma = new SessionCalendar(sketchMarkets.get('BYMA') ?? assert.fail('no market'));
const market = { code: 'BYMA', name: 'Bolsas y Mercados Argentinos' };

test('an open market changes at its close, and a closed one at its next open, after weekends and holidays', () => {
  const open = { ...market, state: 'open', sessionDate: '2026-11-20' };
  const closed = { ...open, state: 'closed', changesAt: at('2026-11-24', '10:30') };
  const close = at('2026-11-20', '17:00');
  assert.deepEqual(marketStateAt(byma, at('2026-11-20', '10:30')), { ...open, changesAt: close });
  assert.deepEqual(marketStateAt(byma, close - 1), { ...open, changesAt: close });
  assert.deepEqual(marketStateAt(byma, close), closed);
  // Monday the 23rd is a holiday.
  assert.deepEqual(marketStateAt(byma, at('2026-11-24', '10:29')), closed);
});
