import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fromEpochDay, toEpochDay, type EpochDay, type PlainDate } from '../calendar/plain-date.ts';
import { byPeriod, type Period } from './periods.ts';

const unknown = Number.NaN;

/** A row: its date, open, high, low, close and volume. */
type Row = readonly [string, number, number, number, number, number];

function joinedSeries(
  rows: readonly Row[],
  period: Period,
  adjustedRows = 0,
): ReturnType<typeof byPeriod> {
  const column = (at: number) => Float64Array.from(rows, (row) => row[at] as number);
  return byPeriod(
    {
      days: Int32Array.from(rows, ([date]) => toEpochDay(date as PlainDate)),
      opens: column(1),
      highs: column(2),
      lows: column(3),
      closes: column(4),
      volumes: column(5),
      adjustedRows,
      unapplied: [],
    },
    period,
    (price) => Math.round(price),
  );
}

function joined(...given: Parameters<typeof joinedSeries>): readonly unknown[] {
  const { days, opens, highs, lows, closes, volumes } = joinedSeries(...given);
  return Array.from(days, (day, at) => [
    fromEpochDay(day as EpochDay),
    opens?.[at],
    highs?.[at],
    lows?.[at],
    closes[at],
    volumes[at],
  ]);
}

// By hand. 2024-02-25 is a Sunday, 2024-02-26 a Monday, and 2024-03-01 a Friday.
const rows: readonly Row[] = [
  ['2024-02-22', 10, 13, 9, 12, 100],
  ['2024-02-25', 12, 12.5, 11, 11.5, 50],
  ['2024-02-26', 11, 14, 10, 13, 70],
  ['2024-02-29', 13, 15, 12, 14, 30],
  ['2024-03-01', 14, 16, 13, 15, 20],
];

test('a week is Monday to Sunday: close of its last session, open of its first, extremes, sum of volumes', () => {
  assert.deepEqual(joined(rows, 'week'), [
    ['2024-02-25', 10, 13, 9, 11.5, 150],
    ['2024-03-01', 11, 16, 10, 15, 120],
  ]);
});

test('a month is a calendar month, of leap years too', () => {
  assert.deepEqual(joined(rows, 'month'), [
    ['2024-02-29', 10, 15, 9, 14, 250],
    ['2024-03-01', 14, 16, 13, 15, 20],
  ]);
});

test('weeks before 1970 and over the end of a year are whole', () => {
  const turn: readonly Row[] = [
    ['1969-12-29', 1, 1, 1, 1, 1],
    ['1970-01-04', 2, 2, 2, 2, 2],
    ['1970-01-05', 3, 3, 3, 3, 3],
  ];
  assert.deepEqual(joined(turn, 'week'), [
    ['1970-01-04', 1, 2, 1, 2, 3],
    ['1970-01-05', 3, 3, 3, 3, 3],
  ]);
});

test('a close counts where a session has no high or low; what no session has stays unknown', () => {
  const lacking: readonly Row[] = [
    ['2024-02-26', unknown, unknown, unknown, 20, unknown],
    ['2024-02-27', 15, 16, 14, 15, 7],
    ['2024-03-04', unknown, unknown, unknown, 9, unknown],
  ];
  assert.deepEqual(joined(lacking, 'week'), [
    ['2024-02-27', unknown, 20, 14, 15, 7],
    ['2024-03-04', unknown, unknown, unknown, 9, unknown],
  ]);
});

test('a sum of volumes has no binary error', () => {
  const crypto: readonly Row[] = [
    ['2024-02-26', 1, 1, 1, 1, 0.1],
    ['2024-02-27', 1, 1, 1, 1, 0.2],
  ];
  assert.deepEqual((joined(crypto, 'week')[0] as unknown[]).at(-1), 0.3);
});

test('in a period over an ex date, prices as traded are those that are shown, and adjusted ones are kept', () => {
  const mixed: readonly Row[] = [
    ['2024-02-26', 1.25, 9.75, 1.25, 2.5, 1],
    ['2024-02-27', 2.6, 9.9, 2.4, 3.4, 1],
    ['2024-03-04', 3, 3, 3, 3, 1],
  ];
  assert.deepEqual(joined(mixed, 'week', 1), [
    ['2024-02-27', 1.25, 10, 1.25, 3, 2],
    ['2024-03-04', 3, 3, 3, 3, 1],
  ]);
});

test('a period has the day of its first session, and is adjusted if that one is', () => {
  for (const [period, adjustedRows, expected] of [
    ['week', 0, 0],
    ['week', 1, 1],
    ['week', 2, 1],
    ['week', 3, 2],
    ['day', 3, 3],
  ] as const) {
    const series = joinedSeries(rows, period, adjustedRows);
    assert.equal(series.adjustedRows, expected, `${period} ${adjustedRows}`);
    assert.deepEqual(
      Array.from(series.firstDays, (day) => fromEpochDay(day as EpochDay)),
      period === 'day' ? rows.map(([date]) => date) : ['2024-02-22', '2024-02-26'],
    );
  }
});

test('a series of closes alone has no other columns', () => {
  const days = Int32Array.of(0, 1);
  const [closes, volumes] = [Float64Array.of(1, 2), Float64Array.of(1, 2)];
  const series = byPeriod(
    { days, closes, volumes, adjustedRows: 0, unapplied: [] },
    'week',
    Number,
  );
  assert.deepEqual(
    Object.keys(series).filter((name) => /opens|highs|lows/.test(name)),
    [],
  );
});

test('a series without rows has no periods', () => {
  assert.deepEqual(joined([], 'month'), []);
});
