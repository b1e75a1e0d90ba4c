import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sketchMarkets } from '../../../test/support/market/make-universe.ts';
import { fromEpochDay, toEpochDay, type EpochDay, type PlainDate } from '../calendar/plain-date.ts';
import { SessionCalendar } from '../calendar/session-calendar.ts';
import { faultsOf, missingDays, neededDay, type IndexFault } from './check-index.ts';
import { indexNames, type IndexName } from './index-name.ts';
import { IndexSeries } from './index-series.ts';

const byma = sketchMarkets.get('BYMA') ?? assert.fail('no market');
const calendar = new SessionCalendar(byma);
const today = '2026-11-20' as PlainDate;
const day = (date: string): EpochDay => toEpochDay(date as PlainDate);

/** A series with a value for each day of a range that a test lets through. */
function seriesOf(
  index: IndexName,
  [from, to]: readonly [string, string],
  valueAt: (date: string, place: number) => number | undefined,
): IndexSeries {
  const days = Array.from({ length: day(to) - day(from) + 1 }, (_, at) => day(from) + at);
  const values = days.flatMap((one, place) => {
    const value = valueAt(fromEpochDay(one as EpochDay), place);
    return value === undefined ? [] : [{ index, day: one as EpochDay, value, source: 'x' }];
  });
  return new IndexSeries(1, values);
}

const rising = (_: string, place: number): number => 700 * 1.005 ** place;

function shown(fault: IndexFault): string {
  if (fault.type === 'gap') {
    return `gap ${fromEpochDay(fault.from)} ${fromEpochDay(fault.to)} ${fault.days}`;
  }
  if (fault.type === 'jump') return `jump ${fromEpochDay(fault.value.day)}`;
  return `stale ${fromEpochDay(fault.last)} ${fromEpochDay(fault.needed)} ${fault.settlement}`;
}

function faults(index: IndexName, series: IndexSeries, at = today): readonly string[] {
  return faultsOf(index, series, { calendar, today: at }).map(shown);
}

test('a series that covers the next settlement, without gaps and jumps, has no fault', () => {
  assert.deepEqual(faults('CER', seriesOf('CER', ['2026-01-01', '2026-12-15'], rising)), []);
  const rates = seriesOf('TAMAR', ['2026-01-02', '2026-11-19'], (date) =>
    calendar.isSession(date as PlainDate) ? 31 : undefined,
  );
  assert.deepEqual(faults('TAMAR', rates), []);
  for (const index of indexNames) {
    assert.deepEqual(faults(index, new IndexSeries(1, [])), [], 'an index without values');
  }
});

test('a gap is named with its days: of the calendar, or of business, where weekends join it', () => {
  const cer = seriesOf('CER', ['2026-11-01', '2026-12-15'], (date, place) =>
    date >= '2026-11-06' && date <= '2026-11-08' ? undefined : rising(date, place),
  );
  assert.deepEqual(faults('CER', cer), ['gap 2026-11-06 2026-11-08 3']);
  const left = new Set(['2026-11-13', '2026-11-16', '2026-11-18']);
  const rates = seriesOf('BADLAR', ['2026-11-02', '2026-11-20'], (date) =>
    calendar.isSession(date as PlainDate) && !left.has(date) ? 31 : undefined,
  );
  assert.deepEqual(faults('BADLAR', rates), [
    'gap 2026-11-13 2026-11-16 2',
    'gap 2026-11-18 2026-11-18 1',
  ]);
});

test('holidays are no gaps, nor is a business day of a year whose holidays are not known', () => {
  const rates = seriesOf('A3500', ['2025-12-01', '2026-11-24'], (date) =>
    calendar.isSession(date as PlainDate) && date > '2025-12-31' ? 1_400 : undefined,
  );
  assert.deepEqual(missingDays('A3500', rates.all('A3500'), calendar), []);
  const older = new IndexSeries(1, [
    { index: 'A3500', day: day('2024-01-02'), value: 800, source: 'x' },
    { index: 'A3500', day: day('2024-12-30'), value: 1_030, source: 'x' },
  ]);
  assert.deepEqual(missingDays('A3500', older.all('A3500'), calendar), []);
  assert.deepEqual(missingDays('A3500', older.all('A3500'), undefined), []);
});

test('a day on which the banks are closed is no gap, though the exchange trades, and no lag counts it', () => {
  const left = new Set(['2026-12-07', '2026-12-24', '2026-12-09']);
  const rates = seriesOf('A3500', ['2026-12-01', '2026-12-29'], (date) =>
    calendar.isSession(date as PlainDate) && !left.has(date) ? 1_400 : undefined,
  );
  assert.deepEqual(faults('A3500', rates, '2026-12-24' as PlainDate), [
    'gap 2026-12-09 2026-12-09 1',
  ]);
  assert.deepEqual(neededDay('A3500', calendar, '2026-12-04' as PlainDate), {
    settlement: '2026-12-09',
    day: day('2026-12-02'),
  });
});

test('a single value that is a hundred times off is one jump, and so is a new level', () => {
  const slip = seriesOf('UVA', ['2026-11-01', '2026-12-15'], (date, place) =>
    date === '2026-11-10' ? rising(date, place) * 100 : rising(date, place),
  );
  assert.deepEqual(faults('UVA', slip), ['jump 2026-11-10']);
  const level = seriesOf('UVA', ['2026-11-01', '2026-12-15'], (date, place) =>
    date >= '2026-11-10' ? rising(date, place) / 100 : rising(date, place),
  );
  assert.deepEqual(faults('UVA', level), ['jump 2026-11-10']);
  const end = seriesOf('CER', ['2026-11-01', '2026-12-15'], (date, place) =>
    date === '2026-12-15' ? 7.5 : rising(date, place),
  );
  assert.deepEqual(faults('CER', end), ['jump 2026-12-15']);
});

test('faults are in the order of their days', () => {
  const missing = new Set(['2026-11-06', '2026-11-07', '2026-11-14']);
  const wrong = new Set(['2026-11-05', '2026-11-12']);
  const series = seriesOf('CER', ['2026-11-02', '2026-11-16'], (date, place) =>
    missing.has(date) ? undefined : rising(date, place) * (wrong.has(date) ? 100 : 1),
  );
  assert.deepEqual(faults('CER', series), [
    'jump 2026-11-05',
    'gap 2026-11-06 2026-11-07 2',
    'jump 2026-11-12',
    'gap 2026-11-14 2026-11-14 1',
  ]);
});

test('the last day must cover the next settlement with the usual lag', () => {
  // Friday 20 November settles on Tuesday, because Monday is a holiday.
  assert.deepEqual(neededDay('CER', calendar, today), {
    settlement: '2026-11-24',
    day: day('2026-11-09'),
  });
  assert.deepEqual(neededDay('A3500', calendar, '2026-11-21' as PlainDate), {
    settlement: '2026-11-25',
    day: day('2026-11-19'),
  });
  assert.deepEqual(faults('CER', seriesOf('CER', ['2026-11-01', '2026-11-09'], rising)), []);
  assert.deepEqual(faults('CER', seriesOf('CER', ['2026-11-01', '2026-11-08'], rising)), [
    'stale 2026-11-08 2026-11-09 2026-11-24',
  ]);
});

/** Values of the ends of June, July, September and October. */
function monthEnds(to: string): IndexSeries {
  const ends = new Set(['2026-06-30', '2026-07-31', '2026-09-30', '2026-10-31']);
  return seriesOf('IPC', ['2026-06-01', to], (date) => (ends.has(date) ? -0.5 : undefined));
}

test('an index of months has a value at the end of each, which is due on the 20th of the next month', () => {
  assert.deepEqual(faults('IPC', monthEnds('2026-10-31')), ['gap 2026-08-31 2026-08-31 1']);
  const gap = 'gap 2026-08-31 2026-08-31 1';
  assert.deepEqual(faults('IPC', monthEnds('2026-09-30')), [gap]);
  const late = '2026-11-21' as PlainDate;
  assert.deepEqual(faults('IPC', monthEnds('2026-09-30'), late), [
    gap,
    'stale 2026-09-30 2026-10-31 undefined',
  ]);
});
