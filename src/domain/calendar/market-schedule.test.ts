import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import type { Market } from './market.ts';
import { marketScheduleAt } from './market-schedule.ts';
import type { PlainDate } from './plain-date.ts';
import { SessionCalendar } from './session-calendar.ts';

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

function marketOf(code: string, parts: Partial<Market> = {}): Market {
  const market = sketchMarkets.get(code);
  assert.ok(market !== undefined);
  return { ...market, ...parts };
}

/** State, session, hours and next change of a market, as short texts. */
function shown(market: Market, instant: string): string {
  const schedule = marketScheduleAt(new SessionCalendar(market), at(instant), undefined);
  const { state, sessionDate, openMinute, closeMinute, changesAt } = schedule;
  const changes = Temporal.Instant.fromEpochMilliseconds(changesAt).toString();
  return `${state} ${sessionDate} ${openMinute}-${closeMinute} ${changes}`;
}

const byma = marketOf('BYMA');
const nyse = marketOf('NYSE');
const crypto = marketOf('CRIPTO');
const published = marketOf('BYMA', { hours: [{ openMinute: 0, closeMinute: 1440 }] });

test('contract 4.6.1: an open market changes at its close, and a closed one at its next open', () => {
  const cases = [
    // Friday 20 November, before, at and after the open and the close. Monday is a holiday.
    ['2026-11-20T10:29:59.999-03:00', 'closed 2026-11-19 630-1020 2026-11-20T13:30:00Z'],
    ['2026-11-20T10:30:00-03:00', 'open 2026-11-20 630-1020 2026-11-20T20:00:00Z'],
    ['2026-11-20T16:59:59.999-03:00', 'open 2026-11-20 630-1020 2026-11-20T20:00:00Z'],
    ['2026-11-20T17:00:00-03:00', 'closed 2026-11-20 630-1020 2026-11-24T13:30:00Z'],
    ['2026-11-20T23:59:59-03:00', 'closed 2026-11-20 630-1020 2026-11-24T13:30:00Z'],
    ['2026-11-21T12:00:00-03:00', 'closed 2026-11-20 630-1020 2026-11-24T13:30:00Z'],
    ['2026-11-23T12:00:00-03:00', 'closed 2026-11-20 630-1020 2026-11-24T13:30:00Z'],
    ['2026-11-24T10:30:00-03:00', 'open 2026-11-24 630-1020 2026-11-24T20:00:00Z'],
  ] as const;
  for (const [instant, expected] of cases) assert.equal(shown(byma, instant), expected, instant);
});

test('contract 4.6.1: a session that closes early has its own hours, until the next session opens', () => {
  const cases = [
    ['2026-12-23T18:00:00-03:00', 'closed 2026-12-23 630-1020 2026-12-24T13:30:00Z'],
    ['2026-12-24T14:59:59-03:00', 'open 2026-12-24 630-900 2026-12-24T18:00:00Z'],
    ['2026-12-24T15:00:00-03:00', 'closed 2026-12-24 630-900 2026-12-28T13:30:00Z'],
    ['2026-12-28T10:30:00-03:00', 'open 2026-12-28 630-1020 2026-12-28T20:00:00Z'],
  ] as const;
  for (const [instant, expected] of cases) assert.equal(shown(byma, instant), expected, instant);
});

test('contract 4.6.1: the local hours stay and the instants move when clocks change', () => {
  const cases = [
    // New York leaves daylight saving on Sunday 1 November 2026 and enters it on 14 March 2027.
    ['2026-10-30T15:00:00Z', 'open 2026-10-30 570-960 2026-10-30T20:00:00Z'],
    ['2026-10-31T15:00:00Z', 'closed 2026-10-30 570-960 2026-11-02T14:30:00Z'],
    ['2026-11-02T15:00:00Z', 'open 2026-11-02 570-960 2026-11-02T21:00:00Z'],
    ['2027-03-13T15:00:00Z', 'closed 2027-03-12 570-960 2027-03-15T13:30:00Z'],
  ] as const;
  for (const [instant, expected] of cases) assert.equal(shown(nyse, instant), expected, instant);
});

test('contract 4.6.1: a market that is open all day changes at midnight, when its session changes', () => {
  const cases = [
    [crypto, '2026-11-21T23:59:59.999-03:00', 'open 2026-11-21 0-1440 2026-11-22T03:00:00Z'],
    [crypto, '2026-11-22T00:00:00-03:00', 'open 2026-11-22 0-1440 2026-11-23T03:00:00Z'],
    [published, '2026-11-19T23:59:59-03:00', 'open 2026-11-19 0-1440 2026-11-20T03:00:00Z'],
    [published, '2026-11-20T00:00:00-03:00', 'open 2026-11-20 0-1440 2026-11-21T03:00:00Z'],
    [published, '2026-11-21T00:00:00-03:00', 'closed 2026-11-20 0-1440 2026-11-24T03:00:00Z'],
  ] as const;
  for (const [market, instant, expected] of cases) assert.equal(shown(market, instant), expected);
});

test('contract 4.6.2: holidays and days without settlement are those of the year, in order of date', () => {
  const market = marketOf('NYSE', {
    holidays: new Map(
      ['2027-12-31', '2026-12-25', '2026-01-01', '2025-12-31', '2027-01-01', '2026-07-03'].map(
        (date) => [date as PlainDate, `on ${date}`],
      ),
    ),
  });
  const calendar = new SessionCalendar(market);
  const datesAt = (instant: string, year?: string) =>
    marketScheduleAt(calendar, at(instant), year).holidays.map(({ date }) => date);
  // The year is that of the market's own time zone.
  assert.deepEqual(datesAt('2027-01-01T04:59:59Z'), ['2026-01-01', '2026-07-03', '2026-12-25']);
  assert.deepEqual(datesAt('2027-01-01T05:00:00Z'), ['2027-01-01', '2027-12-31']);
  assert.deepEqual(datesAt('2027-01-01T05:00:00Z', '2025'), ['2025-12-31']);
  assert.deepEqual(datesAt('2027-01-01T05:00:00Z', '2030'), []);
  const unsettled = new Set(['2027-11-11', '2026-11-11', '2026-10-12'] as PlainDate[]);
  const settling = new SessionCalendar({ ...market, unsettled });
  assert.deepEqual(marketScheduleAt(settling, 0, '2026').unsettled, ['2026-10-12', '2026-11-11']);
  assert.deepEqual(marketScheduleAt(settling, 0, '').unsettled.length, 3);
  const [first] = marketScheduleAt(calendar, 0, '2025').holidays;
  assert.deepEqual(first, { date: '2025-12-31', name: 'on 2025-12-31' });
});

test('a schedule is valid until the state changes, or the year in the time zone of the market', () => {
  const validUntil = (market: Market, instant: string): number =>
    marketScheduleAt(new SessionCalendar(market), at(instant), undefined).validUntil;
  assert.equal(validUntil(byma, '2026-11-20T12:00:00-03:00'), at('2026-11-20T17:00:00-03:00'));
  assert.equal(validUntil(byma, '2026-12-31T18:00:00-03:00'), at('2027-01-01T00:00:00-03:00'));
  assert.equal(validUntil(nyse, '2026-12-31T18:00:00-03:00'), at('2027-01-01T00:00:00-05:00'));
  assert.equal(validUntil(nyse, '2027-01-01T00:00:00-05:00'), at('2027-01-01T09:30:00-05:00'));
});

test('until the instant at which it ends, a schedule is the same; then it differs', () => {
  const calendars = [byma, nyse, crypto, published].map((market) => new SessionCalendar(market));
  const instants = fc.integer({ min: at('2026-10-01T00:00:00Z'), max: at('2027-02-01T00:00:00Z') });
  fc.assert(
    fc.property(fc.constantFrom(...calendars), instants, fc.nat(), (calendar, instant, offset) => {
      const schedule = marketScheduleAt(calendar, instant, undefined);
      const { validUntil } = schedule;
      assert.ok(validUntil > instant);
      const within = instant + (offset % (validUntil - instant));
      assert.deepEqual(marketScheduleAt(calendar, within, undefined), schedule);
      const next = marketScheduleAt(calendar, validUntil, undefined);
      assert.notDeepEqual({ ...next, validUntil }, schedule);
    }),
    { numRuns: 200 },
  );
});

test('a schedule names its market and the time zone of its hours', () => {
  const { code, name, timeZone } = marketScheduleAt(new SessionCalendar(nyse), 0, undefined);
  assert.deepEqual([code, name, timeZone], ['NYSE', 'New York Stock Exchange', 'America/New_York']);
});
