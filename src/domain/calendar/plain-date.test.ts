import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  addDays,
  epochDayOf,
  firstEpochDay,
  firstOfMonth,
  firstOfYear,
  fromEpochDay,
  isCalendarDay,
  isoWeekday,
  lastEpochDay,
  parsePlainDate,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from './plain-date.ts';

const anyDay = fc.integer({ min: epochDayOf(1, 1, 1), max: epochDayOf(9999, 12, 31) });

test('a day survives the way from number to text and back, for every year that text can name', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const text = fromEpochDay(day as EpochDay);
      assert.equal(parsePlainDate(text), text);
      assert.equal(toEpochDay(text), day);
    }),
  );
});

test('epoch days and weekdays agree with Temporal', () => {
  const epoch = Temporal.PlainDate.from('1970-01-01');
  fc.assert(
    fc.property(anyDay, (day) => {
      const expected = epoch.add({ days: day });
      assert.equal(fromEpochDay(day as EpochDay), expected.toString());
      assert.equal(isoWeekday(day as EpochDay), expected.dayOfWeek);
    }),
  );
});

test('a date that does not exist, another format, or a time appended is not a date', () => {
  const wrong = [
    '2026-02-30', '2025-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01',
    '2026-1-1', '26-01-01', '01/02/2026', '20260101', '2026-01-01T00:00:00', '2026-01-01 ', ' 2026-01-01',
    '2026-01-01Z', '', '２０２６-01-01', '+2026-01-01',
  ]; // prettier-ignore
  for (const text of wrong) assert.equal(parsePlainDate(text), undefined, JSON.stringify(text));
});

test('every month has its own number of days, whatever the year', () => {
  for (const year of [1900, 2000, 2023, 2024]) {
    for (let month = 1; month <= 12; month += 1) {
      const last = Temporal.PlainDate.from({ year, month, day: 31 }).day;
      const text = (day: number): string =>
        `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      assert.ok(parsePlainDate(text(last)), text(last));
      assert.equal(parsePlainDate(text(last + 1)), undefined, text(last + 1));
    }
  }
});

test('the first of the month and of the year are days of that month and year', () => {
  const date = '2026-11-20' as PlainDate;
  assert.equal(firstOfMonth(date), '2026-11-01');
  assert.equal(firstOfYear(date), '2026-01-01');
  assert.equal(addDays(firstOfYear(date), -1), '2025-12-31');
});

test('days from the year 1 to the year 9999 have the dates that the calendar of Date has', () => {
  // A stride that falls on every day of the month and of the year, and ends on the last day.
  for (let day = lastEpochDay; day >= firstEpochDay; day = (day - 37) as EpochDay) {
    if (fromEpochDay(day) === new Date(day * 86_400_000).toISOString().slice(0, 10)) continue;
    assert.fail(`epoch day ${day} became ${fromEpochDay(day)}`);
  }
});

test('the first and the last day are those that four digits can name', () => {
  assert.equal(fromEpochDay(firstEpochDay), '0001-01-01');
  assert.equal(fromEpochDay(lastEpochDay), '9999-12-31');
});

test('a calendar day is of the years 1 to 9999', () => {
  assert.equal(isCalendarDay(9999, 12, 31), true);
  assert.equal(isCalendarDay(10_000, 1, 1), false);
  assert.equal(isCalendarDay(1, 1, 1), true);
  assert.equal(isCalendarDay(0, 12, 31), false);
});

test('the days around the end of February have their dates in every year', () => {
  for (let year = 1; year <= 9999; year += 1) {
    const text = String(year).padStart(4, '0');
    const [last, first] = [epochDayOf(year, 2, 28), epochDayOf(year, 3, 1)];
    assert.deepEqual([fromEpochDay(last), fromEpochDay(first)], [`${text}-02-28`, `${text}-03-01`]);
    const leaps = isCalendarDay(year, 2, 29) ? 1 : 0;
    assert.equal(first - last, 1 + leaps, text);
    if (leaps === 1) assert.equal(fromEpochDay((last + 1) as EpochDay), `${text}-02-29`);
  }
});
