import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';

import { loadUniverse } from '../../universe/load-universe.ts';
import { marketScheduleAt } from '../calendar/market-schedule.ts';
import { MarketCalendars } from './market-calendars.ts';
import { openAllDay } from './open-all-day.ts';

const loaded = await loadUniverse(resolve(import.meta.dirname, '../../../universe'));
const universe = loaded.ok ? loaded.universe : assert.fail('the universe has faults');
const open = openAllDay(universe);

test('contract 2.6.6: open all day, a session is the calendar day of Buenos Aires, at every instant and in every market', () => {
  const calendars = [...new MarketCalendars(open).byMarket.values()];
  assert.equal(calendars.length, universe.markets.size);
  for (const [instant, day, next] of [
    // A Friday, its last second, the Saturday, a Sunday, a holiday of Argentina, New Year's Eve in Madrid.
    ['2026-11-20T12:00:00-03:00', '2026-11-20', '2026-11-21'],
    ['2026-11-20T23:59:59.999-03:00', '2026-11-20', '2026-11-21'],
    ['2026-11-21T00:00:00-03:00', '2026-11-21', '2026-11-22'],
    ['2026-11-22T03:30:00-03:00', '2026-11-22', '2026-11-23'],
    ['2026-11-23T12:00:00-03:00', '2026-11-23', '2026-11-24'],
    ['2026-12-31T23:30:00-03:00', '2026-12-31', '2027-01-01'],
  ] as const) {
    const now = Date.parse(instant);
    for (const calendar of calendars) {
      const { code, state, sessionDate, changesAt, openMinute, closeMinute, holidays, timeZone } =
        marketScheduleAt(calendar, now, '2026');
      assert.deepEqual(
        [state, sessionDate, changesAt, openMinute, closeMinute, holidays, timeZone],
        [
          'open',
          day,
          Date.parse(`${next}T00:00:00-03:00`),
          0,
          1440,
          [],
          'America/Argentina/Buenos_Aires',
        ],
        `${code} ${instant}`,
      );
      assert.ok(calendar.isWithinSession(now, 0));
    }
  }
});

test('open all day, a universe keeps its instruments, panels, derived instruments and names of markets', () => {
  const { instruments, panels, derived, markets } = universe;
  assert.deepEqual(
    { instruments: open.instruments, panels: open.panels, derived: open.derived },
    { instruments, panels, derived },
  );
  const namesOf = (all: typeof markets): unknown =>
    [...all].map(([code, { name }]) => [code, name]);
  assert.deepEqual(namesOf(open.markets), namesOf(markets));
});
