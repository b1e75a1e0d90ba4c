import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Market, SessionHours } from '../../../domain/calendar/market.ts';
import type { PlainDate } from '../../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../../domain/calendar/session-calendar.ts';
import { udfSessions } from './symbols.ts';

const date = (text: string) => text as PlainDate;
const today = date('2026-11-20');

function sessionsOf(changes: Partial<Market>): ReturnType<typeof udfSessions> {
  const market: Market = {
    code: 'X',
    name: 'X',
    timeZone: 'America/Argentina/Buenos_Aires',
    weekdays: new Set([1, 2, 3, 4, 5]),
    hours: [{ openMinute: 630, closeMinute: 1020 }],
    holidays: new Map(),
    unsettled: new Set(),
    earlyCloses: new Map(),
    ...changes,
  };
  return udfSessions(new SessionCalendar(market), today);
}

const hours = (openMinute: number, closeMinute: number, since?: string): SessionHours => ({
  openMinute,
  closeMinute,
  ...(since === undefined ? {} : { since: date(since) }),
});
const everyDay = new Set([7, 6, 5, 4, 3, 2, 1]);

test('contract 4.15.5: the hours have their days, Sunday 1, in order', () => {
  assert.deepEqual(sessionsOf({}), { session: '1030-1700:23456' });
  assert.equal(sessionsOf({ weekdays: new Set([7, 1]) }).session, '1030-1700:12');
  assert.equal(sessionsOf({ weekdays: everyDay }).session, '1030-1700:1234567');
});

test('contract 4.15.5: all day is 24x7 only where it is every day; the end of a day is 0000', () => {
  const allDay = [hours(0, 1440)];
  assert.equal(sessionsOf({ weekdays: everyDay, hours: allDay }).session, '24x7');
  assert.equal(sessionsOf({ hours: allDay }).session, '0000-0000:23456');
  assert.equal(sessionsOf({ hours: [hours(605, 1440)] }).session, '1005-0000:23456');
});

test('contract 4.15.5: the hours are those of the day, and those of an early close those of its own day', () => {
  const changing = [
    hours(660, 1020),
    hours(630, 1020, '2026-06-01'),
    hours(600, 1020, '2026-12-01'),
  ];
  const earlyCloses = new Map([
    [date('2026-12-31'), 780],
    [date('2026-12-24'), 900],
    // A Saturday and a holiday have no session.
    [date('2026-12-26'), 900],
    [date('2026-12-25'), 900],
  ]);
  const holidays = new Map([
    [date('2026-12-25'), 'Navidad'],
    [date('2026-12-08'), 'Inmaculada Concepción'],
  ]);
  assert.deepEqual(sessionsOf({ hours: changing, earlyCloses, holidays }), {
    session: '1030-1700:23456',
    session_holidays: '20261208,20261225',
    corrections: '1000-1500:20261224;1000-1300:20261231',
  });
});
