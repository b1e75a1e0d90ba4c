import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlainDate, toEpochDay } from '../domain/plain-date.ts';
import { findDateFormat, parseDate } from './date-format.ts';

const leapDay = toEpochDay(parsePlainDate('2024-02-29') ?? assert.fail());

test('a date reads in its own order, with any separator, and with a time that is let go', () => {
  for (const [cell, format] of [
    ['2024-02-29', 'YYYY-MM-DD'],
    ['2024/2/29', 'YYYY-MM-DD'],
    [' 2024-02-29 ', 'YYYY-MM-DD'],
    ['2024-02-29T00:00:00Z', 'YYYY-MM-DD'],
    ['2024-02-29 00:00:00-05:00', 'YYYY-MM-DD'],
    ['20240229', 'YYYYMMDD'],
    ['20240229 00:00', 'YYYYMMDD'],
    ['29/02/2024', 'DD/MM/YYYY'],
    ['29.2.2024', 'DD/MM/YYYY'],
    ['02/29/2024', 'MM/DD/YYYY'],
    ['2-29-2024', 'MM/DD/YYYY'],
  ] as const) {
    assert.equal(parseDate(cell, format), leapDay, cell);
  }
});

test('a day that does not exist, another order or other text is no date', () => {
  for (const [cell, format] of [
    ['2023-02-29', 'YYYY-MM-DD'],
    ['2024-02-3x', 'YYYY-MM-DD'],
    ['2024-02-29 closing', 'YYYY-MM-DD'],
    ['', 'YYYY-MM-DD'],
    ['20241301', 'YYYYMMDD'],
    ['02/29/2024', 'DD/MM/YYYY'],
    ['29/02/24', 'DD/MM/YYYY'],
  ] as const) {
    assert.equal(parseDate(cell, format), undefined, cell);
  }
});

function found(format: string): unknown {
  return { type: 'found', format };
}

test('one day above 12 tells days from months', () => {
  assert.deepEqual(findDateFormat(['01/02/2024', '13/02/2024']), found('DD/MM/YYYY'));
  assert.deepEqual(findDateFormat(['01/02/2024', '02/13/2024']), found('MM/DD/YYYY'));
  assert.deepEqual(findDateFormat(['2024-02-01', 'N/A']), found('YYYY-MM-DD'));
});

test('days that are all 12 or less are ambiguous, and the example reads two ways', () => {
  assert.deepEqual(findDateFormat(['03/03/2024', '04/05/2024']), {
    type: 'ambiguous',
    cell: '04/05/2024',
  });
});

test('several times of day are no daily prices, and few dates are none', () => {
  const finding = findDateFormat(['2024-02-01 09:30', '2024-02-01 09:31']);
  assert.equal(finding.type, 'intraday');
  assert.deepEqual(findDateFormat(['a', 'b', '2024-02-01']), { type: 'none' });
});
