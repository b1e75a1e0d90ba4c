import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Market } from './market.ts';
import {
  addDays,
  fromEpochDay,
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from './plain-date.ts';
import { SessionCalendar } from './session-calendar.ts';

const day = (text: string) => text as PlainDate;
const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const everyDay = new Set([1, 2, 3, 4, 5, 6, 7]);
const mondayToFriday = new Set([1, 2, 3, 4, 5]);

function market(parts: Partial<Market>): Market {
  return {
    code: 'TEST',
    name: 'Test',
    timeZone: 'America/Argentina/Buenos_Aires',
    weekdays: mondayToFriday,
    hours: [{ openMinute: 630, closeMinute: 1020 }],
    holidays: new Map(),
    unsettled: new Set(),
    earlyCloses: new Map(),
    ...parts,
  };
}

const buenosAires = market({
  hours: [
    { openMinute: 660, closeMinute: 1020 },
    { since: day('2025-07-28'), openMinute: 630, closeMinute: 1020 },
  ],
  holidays: new Map([
    [day('2025-12-25'), 'Navidad'],
    [day('2025-12-31'), 'Fin de año'],
    [day('2026-01-01'), 'Año Nuevo'],
  ]),
  earlyCloses: new Map([[day('2025-12-24'), 900]]),
});

const newYork = market({
  timeZone: 'America/New_York',
  hours: [{ openMinute: 570, closeMinute: 960 }],
  holidays: new Map([[day('2026-01-01'), 'New Year']]),
});

const crypto = market({ weekdays: everyDay, hours: [{ openMinute: 0, closeMinute: 1440 }] });

test('the time zone is asked once for each of the last eight sessions, from the open to just before the next', (t) => {
  const calendar = new SessionCalendar(crypto);
  const asked = t.mock.method(Temporal.Instant, 'fromEpochMilliseconds').mock;
  const open = (index: number) => calendar.opensAt(addDays(day('2026-10-01'), index));
  const askedFor = (instants: readonly number[]) => {
    const before = asked.callCount();
    for (const instant of instants) calendar.sessionAt(instant);
    return asked.callCount() - before;
  };
  const eight = [0, 1, 2, 3, 4, 5, 6, 7];
  assert.equal(askedFor(eight.map((index) => open(index) + 1)), 8);
  assert.equal(askedFor(eight.flatMap((index) => [open(index), open(index + 1) - 1])), 0);
  assert.equal(askedFor([open(8), open(8)]), 1);
  assert.equal(askedFor(eight.slice(1).map(open)), 0);
  assert.equal(askedFor([open(0)]), 1);
});

test('a session is over when the grace time has passed, though the next one may be open', () => {
  const hour = 3_600_000;
  const calendar = new SessionCalendar(buenosAires);
  const over = (instant: string) => calendar.lastSessionOver(at(instant), hour);
  assert.equal(over('2026-10-06T17:59:59.999-03:00'), '2026-10-05');
  assert.equal(over('2026-10-06T18:00:00-03:00'), '2026-10-06');
  assert.equal(over('2026-10-12T12:00:00-03:00'), '2026-10-09');
  const always = new SessionCalendar(crypto);
  assert.equal(always.lastSessionOver(at('2026-10-06T00:59:59.999-03:00'), hour), '2026-10-04');
  assert.equal(always.lastSessionOver(at('2026-10-06T01:00:00-03:00'), hour), '2026-10-05');
});

test('hours apply from the day they are dated', () => {
  const calendar = new SessionCalendar(buenosAires);
  assert.equal(calendar.opensAt(day('2025-07-25')), at('2025-07-25T11:00:00-03:00'));
  assert.equal(calendar.opensAt(day('2025-07-28')), at('2025-07-28T10:30:00-03:00'));
  assert.equal(calendar.sessionAt(at('2025-07-25T10:45:00-03:00')), '2025-07-24');
  assert.equal(calendar.sessionAt(at('2025-07-28T10:45:00-03:00')), '2025-07-28');
});

test('an early close ends trading early and does not shorten the session', () => {
  const calendar = new SessionCalendar(buenosAires);
  assert.equal(calendar.closesAt(day('2025-12-23')), at('2025-12-23T17:00:00-03:00'));
  assert.equal(calendar.closesAt(day('2025-12-24')), at('2025-12-24T15:00:00-03:00'));
  assert.equal(calendar.stateAt(at('2025-12-24T14:59:59-03:00')), 'open');
  assert.equal(calendar.stateAt(at('2025-12-24T15:00:00-03:00')), 'closed');
  assert.equal(calendar.sessionAt(at('2025-12-24T16:00:00-03:00')), '2025-12-24');
});

test('a midnight that does not exist, because clocks go forward, still separates two sessions', () => {
  // Argentina went from 00:00 to 01:00 on 30 December 2007.
  const calendar = new SessionCalendar(crypto);
  assert.equal(calendar.opensAt(day('2007-12-30')), at('2007-12-30T03:00:00Z'));
  assert.equal(calendar.sessionAt(at('2007-12-30T02:59:59Z')), '2007-12-29');
  assert.equal(calendar.sessionAt(at('2007-12-30T03:00:00Z')), '2007-12-30');
});

test('an instant that is not a number is refused', () => {
  assert.throws(() => new SessionCalendar(crypto).sessionAt(Number.NaN), RangeError);
});

test('a market without weekdays or without hours is refused', () => {
  assert.throws(() => new SessionCalendar(market({ weekdays: new Set() })), /no weekday/);
  assert.throws(() => new SessionCalendar(market({ hours: [] })), /no hours/);
});

/**
 * The rule in its simplest form: of all days around an instant, the latest one with a session that
 * has opened.
 */
function naiveSessionAt(one: Market, epochMs: number): PlainDate {
  const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(one.timeZone);
  let date = zoned.toPlainDate().add({ days: 1 });
  for (;;) {
    const text = date.toString() as PlainDate;
    const hours = one.hours.findLast((some) => (some.since ?? '') <= text);
    if (one.weekdays.has(date.dayOfWeek) && !one.holidays.has(text) && hours !== undefined) {
      const opens = date.toZonedDateTime({
        timeZone: one.timeZone,
        plainTime: Temporal.PlainTime.from({
          hour: Math.floor(hours.openMinute / 60),
          minute: hours.openMinute % 60,
        }),
      });
      if (opens.epochMilliseconds <= epochMs) return text;
    }
    date = date.subtract({ days: 1 });
  }
}

const zones = [
  'America/Argentina/Buenos_Aires',
  'America/New_York',
  'Europe/London',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'UTC',
];

/** Days of 2004 to 2028, which include Argentina's daylight saving time of 2007 to 2009. */
const anyDay = fc
  .integer({ min: 12_418, max: 21_549 })
  .map((number) => fromEpochDay(number as EpochDay));

const anyHours = fc
  .tuple(fc.integer({ min: 0, max: 1400 }), fc.integer({ min: 1, max: 1440 }))
  .map(([openMinute, length]) => ({
    openMinute,
    closeMinute: Math.min(1440, openMinute + length),
  }));

const anyMarket: fc.Arbitrary<Market> = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    weekdays: fc
      .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
      .map((days) => new Set(days)),
    first: anyHours,
    later: fc.option(fc.tuple(anyDay, anyHours), { nil: undefined }),
    holidays: fc.array(anyDay, { maxLength: 40 }),
    unsettled: fc.array(anyDay, { maxLength: 40 }),
  })
  .map(({ timeZone, weekdays, first, later, holidays, unsettled }) =>
    market({
      timeZone,
      weekdays,
      hours: later === undefined ? [first] : [first, { since: later[0], ...later[1] }],
      holidays: new Map(holidays.map((date) => [date, 'holiday'])),
      unsettled: new Set(unsettled),
    }),
  );

test('every instant has the session that a naive search over the days finds', () => {
  fc.assert(
    fc.property(
      anyMarket,
      fc.array(fc.integer({ min: 1_072_915_200_000, max: 1_861_920_000_000 }), { minLength: 1 }),
      (one, instants) => {
        const calendar = new SessionCalendar(one);
        for (const instant of instants) {
          assert.equal(calendar.sessionAt(instant), naiveSessionAt(one, instant));
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('instants around every clock change have the session that the naive search finds', () => {
  const changes = zones.flatMap((zone) => {
    const found: number[] = [];
    let from = Temporal.Instant.from('2007-01-01T00:00Z').toZonedDateTimeISO(zone);
    for (;;) {
      const next = from.getTimeZoneTransition('next');
      if (next === null || next.year > 2027) return found;
      found.push(next.epochMilliseconds);
      from = next;
    }
  });
  assert.ok(changes.length > 100);
  fc.assert(
    fc.property(
      anyMarket,
      fc.constantFrom(...changes),
      fc.integer({ min: -172_800_000, max: 172_800_000 }),
      (one, change, offset) => {
        assert.equal(
          new SessionCalendar(one).sessionAt(change + offset),
          naiveSessionAt(one, change + offset),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('a market is open from its open until its close, and closed from then on', () => {
  // Daytime hours: clocks change at night, when an open or a close could fall in the skipped hour.
  const byDay = anyMarket.map((one) =>
    market({ ...one, hours: [{ openMinute: 570, closeMinute: 960 }] }),
  );
  fc.assert(
    fc.property(byDay, anyDay, (one, date) => {
      const calendar = new SessionCalendar(one);
      const session = calendar.nextSession(date);
      const opens = calendar.opensAt(session);
      const closes = calendar.closesAt(session);
      assert.equal(closes - opens, 390 * 60_000);
      assert.equal(calendar.stateAt(opens - 1), 'closed');
      assert.equal(calendar.stateAt(opens), 'open');
      assert.equal(calendar.stateAt(closes - 1), 'open');
      assert.equal(calendar.stateAt(closes), 'closed');
      assert.equal(calendar.sessionAt(closes), session);
    }),
  );
});

test('previous and next session are inverse, and skip only days without a session', () => {
  fc.assert(
    fc.property(anyMarket, anyDay, (one, date) => {
      const calendar = new SessionCalendar(one);
      const next = calendar.nextSession(date);
      assert.equal(calendar.isSession(next), true);
      for (let between = addDays(date, 1); between < next; between = addDays(between, 1)) {
        assert.equal(calendar.isSession(between), false);
      }
      assert.equal(calendar.nextSession(calendar.previousSession(next)), next);
      assert.equal(
        calendar.isSession(date),
        one.weekdays.has(isoWeekday(toEpochDay(date))) && !one.holidays.has(date),
      );
    }),
  );
});

test('settlement days are the sessions on which the banks are open, and no step skips one', () => {
  fc.assert(
    fc.property(anyMarket, anyDay, (one, date) => {
      const calendar = new SessionCalendar(one);
      assert.equal(
        calendar.isSettlement(date),
        calendar.isSession(date) && !one.unsettled.has(date),
      );
      const next = calendar.nextSettlement(date);
      assert.ok(next > date && calendar.isSettlement(next));
      for (let between = addDays(date, 1); between < next; between = addDays(between, 1)) {
        assert.equal(calendar.isSettlement(between), false);
      }
      assert.equal(calendar.nextSettlement(calendar.previousSettlement(next)), next);
    }),
  );
});

test('an instant is within its session from the open to the end of the grace period, on the day of the session', () => {
  const graceMs = 15 * 60_000;
  const bonds = new SessionCalendar(buenosAires);
  for (const [instant, isWithin] of [
    ['2026-10-06T10:29:59.999-03:00', false],
    ['2026-10-06T10:30:00-03:00', true],
    ['2026-10-06T17:15:00-03:00', true],
    ['2026-10-06T17:15:00.001-03:00', false],
    ['2026-10-10T15:00:00-03:00', false],
    ['2025-12-24T15:15:00-03:00', true],
    ['2025-12-24T15:15:00.001-03:00', false],
    ['2025-12-25T12:00:00-03:00', false],
  ] as const) {
    assert.equal(bonds.isWithinSession(at(instant), graceMs), isWithin, instant);
  }
  const published = new SessionCalendar(market({ hours: [{ openMinute: 0, closeMinute: 1440 }] }));
  // 9 October 2026 is a Friday. No grace period extends its session into Saturday.
  assert.equal(published.isWithinSession(at('2026-10-09T23:59:59.999-03:00'), graceMs), true);
  assert.equal(published.isWithinSession(at('2026-10-10T00:00:00-03:00'), graceMs), false);
  assert.equal(published.isWithinSession(at('2026-10-12T00:00:00-03:00'), graceMs), true);
});

test('an instant within a session has the date of that session in the time zone of its market', () => {
  fc.assert(
    fc.property(
      anyMarket,
      fc.integer({ min: 1_072_915_200_000, max: 1_861_920_000_000 }),
      fc.integer({ min: 0, max: 86_400_000 }),
      (one, instant, graceMs) => {
        const calendar = new SessionCalendar(one);
        const session = calendar.sessionAt(instant);
        for (const moment of [instant, calendar.lastInstantOf(session)]) {
          if (!calendar.isWithinSession(moment, graceMs)) continue;
          const zoned = Temporal.Instant.fromEpochMilliseconds(moment);
          const local = zoned.toZonedDateTimeISO(one.timeZone).toPlainDate().toString();
          assert.equal(local, calendar.sessionAt(moment));
        }
        assert.equal(calendar.isWithinSession(calendar.lastInstantOf(session), 0), true);
      },
    ),
    { numRuns: 300 },
  );
});

test('the first and the last instant of a day are in its own time zone, daylight saving included', () => {
  const calendar = new SessionCalendar(newYork);
  assert.equal(calendar.startOfDay(day('2026-03-08')), at('2026-03-08T00:00:00-05:00'));
  assert.equal(calendar.startOfDay(day('2026-03-09')), at('2026-03-09T00:00:00-04:00'));
  assert.equal(calendar.lastInstantOf(day('2026-03-09')), at('2026-03-09T16:00:00-04:00'));
  const midnight = at('2026-03-10T00:00:00-03:00');
  assert.equal(new SessionCalendar(crypto).lastInstantOf(day('2026-03-09')), midnight - 1);
});

test('a day before all dated hours has the oldest ones', () => {
  const hours = [
    { since: day('2020-01-01'), openMinute: 600, closeMinute: 1000 },
    { since: day('2025-01-01'), openMinute: 630, closeMinute: 1020 },
  ];
  const calendar = new SessionCalendar(market({ hours }));
  assert.equal(calendar.opensAt(day('2019-12-30')), at('2019-12-30T10:00:00-03:00'));
  assert.equal(calendar.closesAt(day('2019-12-30')), at('2019-12-30T16:40:00-03:00'));
});

test('a number that is no instant is in no session', () => {
  const calendar = new SessionCalendar(buenosAires);
  for (const instant of [Number.NaN, Infinity]) {
    assert.throws(() => calendar.sessionAt(instant), new RangeError(`no instant: ${instant}`));
  }
});

test('an instant of any of many sessions has its own session, in any order and repeatedly', () => {
  const calendar = new SessionCalendar(crypto);
  const noons = Array.from({ length: 20 }, (_, index) => {
    const date = addDays(day('2026-10-01'), index);
    return [date, at(`${date}T12:00:00-03:00`)] as const;
  });
  for (const [date, noon] of [...noons, ...noons.toReversed(), ...noons]) {
    assert.equal(calendar.sessionAt(noon), date);
    assert.equal(calendar.closesAt(date), noon + 12 * 3_600_000);
    assert.equal(calendar.isWithinSession(noon + 12 * 3_600_000 - 1, 0), true);
  }
});
