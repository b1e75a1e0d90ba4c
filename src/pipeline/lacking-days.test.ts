import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toEpochDay } from '../domain/plain-date.ts';
import type { EpochDay, PlainDate } from '../domain/plain-date.ts';
import type { Ticker } from '../domain/ticker.ts';
import { LackingDays } from './lacking-days.ts';
import type { LackingRange } from './lacking-days.ts';

const dayMs = 86_400_000;
const ticker = 'GGAL' as Ticker;
const today = Date.parse('2026-11-20T00:00:00Z');
const monday = toEpochDay('2026-10-05' as PlainDate);

function day(offset: number): EpochDay {
  return (monday + offset) as EpochDay;
}

/** The weekdays of two weeks, which begin on {@link monday}. */
const sessions = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].map(day);

function studio(ranges: readonly LackingRange[] = []) {
  const clock = { nowMs: today, now: () => clock.nowMs };
  const changes: (readonly LackingRange[])[] = [];
  const lacking = new LackingDays(ranges, { clock, onChange: (all) => void changes.push(all) });
  return { clock, changes, lacking };
}

function noted(offsets: readonly number[]): readonly (readonly [number, number])[] {
  const { lacking, changes } = studio();
  lacking.note('source', ticker, { days: offsets.map(day), sessions });
  return (changes.at(-1) ?? []).map(({ from, to }) => [from - monday, to - monday]);
}

test('days in a row are one range, across days without a session', () => {
  assert.deepEqual(noted([0, 1, 2]), [[0, 2]]);
  assert.deepEqual(noted([4, 7, 8]), [[4, 8]]);
  assert.deepEqual(noted([11]), [[11, 11]]);
});

test('a session day with a close separates two ranges', () => {
  assert.deepEqual(noted([0, 1, 3, 4, 8]), [
    [0, 1],
    [3, 4],
    [8, 8],
  ]);
});

test('the days of a range are lacking, both ends included, for this source and instrument only', () => {
  const { lacking } = studio();
  lacking.note('source', ticker, { days: [day(1), day(2)], sessions });
  assert.deepEqual([...lacking.daysOf('source', ticker)], [day(1), day(2)]);
  assert.deepEqual([...lacking.daysOf('other', ticker)], []);
  assert.deepEqual([...lacking.daysOf('source', 'YPFD' as Ticker)], []);
});

test('a range has its source, its instrument and the time of the request, and every change reports all ranges', () => {
  const { lacking, changes } = studio();
  const other = 'YPFD' as Ticker;
  lacking.note('source', ticker, { days: [day(0)], sessions });
  lacking.note('source', other, { days: [day(3)], sessions });
  const range = { source: 'source', askedAt: today };
  assert.deepEqual(changes, [
    [{ ...range, ticker, from: day(0), to: day(0) }],
    [
      { ...range, ticker, from: day(0), to: day(0) },
      { ...range, ticker: other, from: day(3), to: day(3) },
    ],
  ]);
});

test('days of the last week are not noted, because a source may publish them late', () => {
  const { lacking, changes } = studio();
  const recent = [-8, -7, -6, -1].map((offset) => (today / dayMs + offset) as EpochDay);
  lacking.note('source', ticker, { days: recent.slice(1), sessions: recent });
  assert.deepEqual(changes, [], 'nothing has changed');
  lacking.note('source', ticker, { days: recent, sessions: recent });
  assert.deepEqual([...lacking.daysOf('source', ticker)], recent.slice(0, 1));
});

test('a range is forgotten after thirty days, and one from a time to come is not used', () => {
  const range = { source: 'source', ticker, from: day(0), to: day(0) };
  const lacksAfter = (ageMs: number): boolean => {
    const { lacking } = studio([{ ...range, askedAt: today - ageMs }]);
    return lacking.daysOf('source', ticker).has(day(0));
  };
  assert.equal(lacksAfter(30 * dayMs - 1), true);
  assert.equal(lacksAfter(30 * dayMs), false);
  assert.equal(lacksAfter(0), true);
  assert.equal(lacksAfter(-1), false);
});

test('a change reports no range that is forgotten', () => {
  const old = { source: 'source', ticker, from: day(0), to: day(0), askedAt: today - 30 * dayMs };
  const { lacking, changes } = studio([old]);
  lacking.note('source', ticker, { days: [day(3)], sessions });
  assert.deepEqual(
    changes[0]?.map(({ from }) => from),
    [day(3)],
  );
});
