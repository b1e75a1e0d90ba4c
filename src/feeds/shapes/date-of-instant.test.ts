import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { dateOfInstant } from './date-of-instant.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }]);
const calendar = new SessionCalendar(universe.marketOf(universe.get('GGAL' as Ticker)));

test('an instant has the date of its market', () => {
  assert.equal(dateOfInstant(Date.parse('2026-11-20T02:59:59Z'), calendar), '2026-11-19');
  assert.equal(dateOfInstant(Date.parse('2026-11-20T03:00:00Z'), calendar), '2026-11-20');
  assert.equal(dateOfInstant(Date.parse('9999-12-30T00:00:00Z'), calendar), '9999-12-29');
});

test('an instant that cannot be right has no date', () => {
  for (const instant of [-1, Date.UTC(9999, 11, 31), 8.64e15, 9e15, 1e300, Infinity, Number.NaN]) {
    assert.equal(dateOfInstant(instant, calendar), undefined, `${instant}`);
  }
});
