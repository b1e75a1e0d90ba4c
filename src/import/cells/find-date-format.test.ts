import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDateFormat } from './find-date-format.ts';

function found(format: string): unknown {
  return { type: 'found', format };
}

test('one day above 12 distinguishes days from months', () => {
  assert.deepEqual(findDateFormat(['01/02/2024', '13/02/2024']), found('DD/MM/YYYY'));
  assert.deepEqual(findDateFormat(['01/02/2024', '02/13/2024']), found('MM/DD/YYYY'));
  assert.deepEqual(findDateFormat(['2024-02-01', 'N/A']), found('YYYY-MM-DD'));
});

test('days that are all 12 or less are ambiguous, and the example differs between the formats', () => {
  assert.deepEqual(findDateFormat(['03/03/2024', '04/05/2024']), {
    type: 'ambiguous',
    cell: '04/05/2024',
    formats: ['DD/MM/YYYY', 'MM/DD/YYYY'],
  });
});

test('several times of day are reported as intraday, and too few dates as no dates', () => {
  const finding = findDateFormat(['2024-02-01 09:30', '2024-02-01 09:31']);
  assert.equal(finding.type, 'intraday');
  assert.deepEqual(findDateFormat(['a', 'b', '2024-02-01']), { type: 'none' });
});

/** Dates from a given one on, a number of days apart, as `DD/MM/YY` or `YY-MM-DD`. */
function dates(from: string, stepDays: number, count: number, isYearFirst = false): string[] {
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(Date.parse(`${from}T00:00Z`) + at * stepDays * 86_400_000);
    const [year = '', month = '', day = ''] = date.toISOString().slice(2, 10).split('-');
    return isYearFirst ? `${year}-${month}-${day}` : `${day}/${month}/${year}`;
  });
}

test('two-digit years are read when all rows together fit only one format', () => {
  assert.deepEqual(findDateFormat(['01/02/99', '13/02/99']), found('DD/MM/YY'));
  assert.deepEqual(findDateFormat(['01/02/99', '02/13/99']), found('MM/DD/YY'));
  assert.deepEqual(findDateFormat(['99-02-01', '99-02-02']), found('YY-MM-DD'));
  assert.deepEqual(findDateFormat(['18/11/26', '19/11/26', '20/11/26']), found('DD/MM/YY'));
  assert.deepEqual(findDateFormat(['26-11-18', '26-11-19', '26-11-20']), found('YY-MM-DD'));
});

test('two-digit years that could be days are distinguished by the smaller distances between rows', () => {
  for (const [from, stepDays, count] of [
    ['2001-01-31', 1, 8000],
    ['2016-02-01', 1, 60],
    ['2010-01-01', 30, 190],
    ['2003-05-20', 7, 900],
  ] as const) {
    assert.deepEqual(findDateFormat(dates(from, stepDays, count)), found('DD/MM/YY'), from);
    const descending = dates(from, stepDays, count).toReversed();
    assert.deepEqual(findDateFormat(descending), found('DD/MM/YY'), from);
    const yearFirst = dates(from, stepDays, count, true);
    assert.deepEqual(findDateFormat(yearFirst), found('YY-MM-DD'), from);
  }
});

test('a two-digit year that nothing decides is ambiguous, with every possible format', () => {
  assert.deepEqual(findDateFormat(['01/02/03']), {
    type: 'ambiguous',
    cell: '01/02/03',
    formats: ['DD/MM/YY', 'MM/DD/YY', 'YY-MM-DD'],
  });
  assert.deepEqual(findDateFormat(['18/11/26']), {
    type: 'ambiguous',
    cell: '18/11/26',
    formats: ['DD/MM/YY', 'YY-MM-DD'],
  });
  const finding = findDateFormat(['05/02/24', '06/02/24', '07/02/24']);
  assert.deepEqual(finding.type === 'ambiguous' && finding.formats, ['DD/MM/YY', 'MM/DD/YY']);
});

test('a date with the name of its month has one format', () => {
  assert.deepEqual(findDateFormat(['07-sep-2020', '08-sep-2020']), found('DD-MON-YYYY'));
  assert.deepEqual(findDateFormat(['Sep 07, 2020', 'May 08, 2020']), found('MON-DD-YYYY'));
});

test('a cell without a date does not make two-digit years ambiguous', () => {
  const cells = ['18/11/26', 'N/A', '19/11/26', '20/11/26'];
  assert.deepEqual(findDateFormat(cells), found('DD/MM/YY'));
});

test('the example of an ambiguous date is a date, also when it is the same in all formats', () => {
  assert.deepEqual(findDateFormat(['N/A', '03/03/2024']), {
    type: 'ambiguous',
    cell: '03/03/2024',
    formats: ['DD/MM/YYYY', 'MM/DD/YYYY'],
  });
});

test('half of the cells must be dates', () => {
  assert.deepEqual(findDateFormat(['2024-02-01', 'x']), found('YYYY-MM-DD'));
  assert.deepEqual(findDateFormat(['', '2024-02-01', ' ', 'x', '']), found('YYYY-MM-DD'));
  assert.deepEqual(findDateFormat(['2024-02-01', 'x', 'y']), { type: 'none' });
  assert.deepEqual(findDateFormat(['x']), { type: 'none' });
  assert.deepEqual(findDateFormat([]), { type: 'none' });
});

/** The 19th of each month of 2026, with the year last. */
function monthsOf(months: readonly number[]): readonly string[] {
  return months.map((month) => `19/${month}/26`);
}

test('a two-digit year is last if the dates are then more than 1.5 times nearer, and ambiguous if not', () => {
  // A day apart with the year last, 365 with the year first. All others are equally far apart.
  const cells = ['18/11/26', '19/11/26'];
  // 30 days between November and December, 31 between October and November: 726 days.
  const far = monthsOf(
    [...Array.from({ length: 9 }, () => [12, 11]), [10, 11, 10, 11, 10, 11]].flat(),
  );
  assert.deepEqual(findDateFormat([...cells, ...far]), found('DD/MM/YY'));
  const farther = findDateFormat([...cells, ...far, ...monthsOf([12])]);
  assert.equal(farther.type, 'ambiguous');
});
