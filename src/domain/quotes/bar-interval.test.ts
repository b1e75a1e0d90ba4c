import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { barAt, minuteAt } from '../../../test/support/market/bar-samples.ts';
import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import { barIntervals, barsOf, startOfBar } from './bar-interval.ts';
import { joinBars, makeLiveBar, type Bar } from './minute-bar.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../calendar/plain-date.ts';
import { SessionCalendar } from '../calendar/session-calendar.ts';

const byma = calendarOf('BYMA');
const day = toEpochDay('2026-11-20' as PlainDate);
const date = '2026-11-20';

function calendarOf(code: string): SessionCalendar {
  const market = sketchMarkets.get(code);
  assert.ok(market !== undefined);
  return new SessionCalendar(market);
}

test('joining bars takes the first open, the last price, the range and the sum of the volumes', () => {
  const a = barAt(date, '11:00', [10, 12, 9, 11], 5);
  const b = barAt(date, '11:01', [11, 11.5, 8, 8.5], 2.5);
  assert.deepEqual(joinBars(a, b), barAt(date, '11:00', [10, 12, 8, 8.5], 7.5));
  const higher = barAt(date, '11:01', [11, 13, 10, 12], 0);
  assert.deepEqual(joinBars(a, higher), barAt(date, '11:00', [10, 13, 9, 12], 5));
});

test('the volume of joined bars is null only if neither has one', () => {
  const none = barAt(date, '11:00', [1, 1, 1, 1], null);
  const some = barAt(date, '11:00', [1, 1, 1, 1], 3);
  assert.equal(joinBars(none, none).volume, null);
  assert.equal(joinBars(none, some).volume, 3);
  assert.equal(joinBars(some, none).volume, 3);
});

test('the volume of a bar under way is the growth of the volume of its session, null where it has none', () => {
  const parts = { ...barAt(date, '11:00', [1, 1, 1, 1]), isRecorded: false, volumeFrom: 40 };
  assert.equal(makeLiveBar({ ...parts, volumeTo: 100 }).volume, 60);
  assert.equal(makeLiveBar({ ...parts, volumeTo: 40 }).volume, 0);
  assert.equal(makeLiveBar({ ...parts, volumeTo: null }).volume, null);
});

test('minutes join to bars that start at full multiples of the interval', () => {
  const minutes = ['10:59', '11:00', '11:04', '11:05', '11:14', '11:15', '12:00'].map((time, at) =>
    barAt(date, time, [at, at, at, at], 1),
  );
  const startsOf = (interval: (typeof barIntervals)[number]): readonly string[] =>
    barsOf(minutes, interval, byma).map(({ minute, open, last, volume }) => {
      const time = new Date((minute - 180) * 60_000).toISOString().slice(11, 16);
      return `${time} ${open}-${last} ${volume}`;
    });
  assert.deepEqual(startsOf(1), [
    '10:59 0-0 1',
    '11:00 1-1 1',
    '11:04 2-2 1',
    '11:05 3-3 1',
    '11:14 4-4 1',
    '11:15 5-5 1',
    '12:00 6-6 1',
  ]);
  assert.deepEqual(startsOf(5), [
    '10:55 0-0 1',
    '11:00 1-2 2',
    '11:05 3-3 1',
    '11:10 4-4 1',
    '11:15 5-5 1',
    '12:00 6-6 1',
  ]);
  assert.deepEqual(startsOf(15), ['10:45 0-0 1', '11:00 1-4 4', '11:15 5-5 1', '12:00 6-6 1']);
  assert.deepEqual(startsOf(60), ['10:00 0-0 1', '11:00 1-5 5', '12:00 6-6 1']);
});

test('bars are aligned to the clock of the market, also where its offset is not of full hours', () => {
  const market = sketchMarkets.get('BYMA');
  assert.ok(market !== undefined);
  const kolkata = new SessionCalendar({ ...market, timeZone: 'Asia/Kolkata' });
  // 09:15 in Kolkata, UTC+05:30.
  const minute = Date.parse('2026-11-20T03:45:00Z') / 60_000;
  assert.equal(startOfBar({ day, minute }, 60, kolkata), minute - 15);
  assert.equal(startOfBar({ day, minute }, 60, byma), minute - 45);
  assert.equal(startOfBar({ day, minute }, 15, kolkata), minute);
});

test('a bar of another day is aligned by its own day, also after many other days', () => {
  const newYork = calendarOf('NYSE');
  for (let step = 0; step < 200; step += 1) {
    const one = (day + (step % 100)) as EpochDay;
    const start = newYork.startOfDay(
      new Date(one * 86_400_000).toISOString().slice(0, 10) as PlainDate,
    );
    const minute = start / 60_000 + 9 * 60 + 47;
    assert.equal(startOfBar({ day: one, minute }, 60, newYork), minute - 47);
  }
});

test('a minute before the start of its day belongs to the bar before it', () => {
  const midnight = minuteAt(date, '00:00');
  assert.equal(startOfBar({ day, minute: midnight - 1 }, 60, byma), midnight - 60);
  assert.equal(startOfBar({ day, minute: midnight - 60 }, 60, byma), midnight - 60);
});

test('longer bars have the range, the first open, the last price and the volume of all minutes', () => {
  const price = fc.integer({ min: 1, max: 50 });
  const minutesOf = fc
    .uniqueArray(fc.record({ offset: fc.integer({ min: 0, max: 400 }), price, volume: price }), {
      selector: ({ offset }) => offset,
      minLength: 1,
    })
    .map((all) => all.toSorted((a, b) => a.offset - b.offset));
  fc.assert(
    fc.property(minutesOf, fc.constantFrom(...barIntervals), (sketches, interval) => {
      const start = minuteAt(date, '10:30');
      const minutes: readonly Bar[] = sketches.map(({ offset, price: last, volume }) => ({
        day,
        minute: start + offset,
        open: last,
        high: last + 1,
        low: last - 1,
        last,
        volume,
      }));
      const bars = barsOf(minutes, interval, byma);
      assert.ok(bars.every((bar, at) => at === 0 || bar.minute > (bars[at - 1]?.minute ?? 0)));
      for (const bar of bars) {
        assert.equal((bar.minute - minuteAt(date, '00:00')) % interval, 0);
        const own = minutes.filter(
          ({ minute }) => minute >= bar.minute && minute < bar.minute + interval,
        );
        assert.deepEqual(bar, {
          day,
          minute: bar.minute,
          open: own[0]?.open,
          high: Math.max(...own.map(({ high }) => high)),
          low: Math.min(...own.map(({ low }) => low)),
          last: own.at(-1)?.last,
          volume: own.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
        });
      }
      const counted = bars.reduce((sum, { volume }) => sum + (volume ?? 0), 0);
      assert.equal(
        counted,
        minutes.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
      );
    }),
    { numRuns: 60 },
  );
});

test('the start of a day is computed once for a calendar, and again when 64 others were since', () => {
  const asked: PlainDate[] = [];
  const calendar = {
    startOfDay(one: PlainDate): number {
      asked.push(one);
      return byma.startOfDay(one);
    },
  };
  const startOn = (offset: number) =>
    startOfBar({ day: (day + offset) as EpochDay, minute: minuteAt(date, '11:07') }, 5, calendar);
  assert.equal(startOn(0), minuteAt(date, '11:05'));
  for (let offset = 0; offset < 64; offset += 1) startOn(offset);
  startOn(0);
  assert.equal(asked.length, 64);
  startOn(64);
  assert.equal(asked.length, 65);
  startOn(0);
  assert.equal(asked.length, 66);
  startOn(0);
  assert.equal(asked.length, 66);
});
