import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { LackingDays, type LackingRange } from './lacking-days.ts';

const dayMs = 86_400_000;
const ticker = 'GGAL' as Ticker;
/** The first day on which the sources are asked. */
const start = 20_000;

/** All numbers from one to another. */
function days(from: number, to: number): readonly EpochDay[] {
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) as EpochDay);
}

/** The days that a source lacks, asked at 00:00 of the first day. The test moves the time. */
class Rig {
  today = start;
  changes: readonly LackingRange[] = [];
  readonly lacking: LackingDays;

  constructor(ranges: readonly LackingRange[] = []) {
    this.lacking = new LackingDays(ranges, {
      clock: { now: () => this.today * dayMs },
      onChange: (changed) => (this.changes = changed),
    });
  }

  note(noted: readonly EpochDay[], sessions = noted): void {
    this.lacking.note('one', ticker, { days: noted, sessions });
  }

  known(): readonly number[] {
    return [...this.lacking.daysOf('one', ticker)];
  }
}

test('a day of the last week is not remembered', () => {
  const rig = new Rig();
  rig.note(days(start - 8, start));
  assert.deepEqual(rig.known(), [start - 8]);
  rig.changes = [];
  rig.note(days(start - 7, start));
  assert.deepEqual(rig.known(), [start - 8]);
  assert.deepEqual(rig.changes, []);
});

test('a young day is remembered for a month', () => {
  const rig = new Rig();
  rig.note(days(start - 20, start - 20));
  rig.today = start + 29;
  assert.deepEqual(rig.known(), [start - 20]);
  rig.today = start + 30;
  assert.deepEqual(rig.known(), []);
});

test('an older day is remembered until it is twice as old, each day of a range by itself', () => {
  const rig = new Rig();
  rig.note(days(start - 102, start - 98));
  rig.today = start + 97;
  assert.equal(rig.known().length, 5);
  rig.today = start + 100;
  assert.deepEqual(rig.known(), [start - 102, start - 101]);
  rig.today = start + 101;
  assert.deepEqual(rig.known(), [start - 102]);
  rig.today = start + 102;
  assert.deepEqual(rig.known(), []);
});

test('a part of a day that has passed since the request does not count as a day', () => {
  const rig = new Rig([
    {
      source: 'one',
      ticker,
      askedAt: (start + 0.25) * dayMs,
      from: (start - 100) as EpochDay,
      to: (start - 100) as EpochDay,
    },
  ]);
  rig.today = start + 100.25;
  assert.deepEqual(rig.known(), [start - 100]);
  rig.today = start + 100.5;
  assert.deepEqual(rig.known(), []);
});

test('a request of a clock that was ahead is forgotten', () => {
  const range = {
    source: 'one',
    ticker,
    from: (start - 50) as EpochDay,
    to: (start - 49) as EpochDay,
  };
  assert.deepEqual(new Rig([{ ...range, askedAt: start * dayMs + 1 }]).known(), []);
  assert.deepEqual(new Rig([{ ...range, askedAt: start * dayMs }]).known(), [
    start - 50,
    start - 49,
  ]);
});

test('days are reported as ranges that contain no session day that the source has', () => {
  const rig = new Rig();
  const sessions = [100, 101, 104, 105, 106, 107].map((day) => day as EpochDay);
  rig.note(
    [100, 101, 104, 106, 107].map((day) => day as EpochDay),
    sessions,
  );
  const range = { source: 'one', ticker, askedAt: start * dayMs };
  assert.deepEqual(rig.changes, [
    { ...range, from: 100, to: 104 },
    { ...range, from: 106, to: 107 },
  ]);
  assert.deepEqual(rig.known(), [100, 101, 102, 103, 104, 106, 107]);
});

test('a range of which no day is remembered is reported no more, and one of another source is', () => {
  const rig = new Rig();
  rig.note(days(start - 40, start - 30));
  rig.lacking.note('two', ticker, {
    days: days(start - 100, start - 90),
    sessions: days(start - 100, start - 90),
  });
  assert.equal(rig.changes.length, 2);
  rig.today = start + 40;
  rig.note(days(start, start));
  assert.deepEqual(
    rig.changes.map(({ source, from, to }) => [source, from, to]),
    [
      ['one', start, start],
      ['two', start - 100, start - 90],
    ],
  );
  assert.deepEqual(rig.known(), [start]);
  assert.equal(rig.lacking.daysOf('two', ticker).size, 11);
  assert.equal(rig.lacking.daysOf('two', 'YPFD' as Ticker).size, 0);
});
