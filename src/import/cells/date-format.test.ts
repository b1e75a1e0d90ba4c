import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fromEpochDay,
  parsePlainDate,
  toEpochDay,
  type EpochDay,
} from '../../domain/calendar/plain-date.ts';
import { dateFormats, isDate, isEpoch, looksLikeEpoch, parseDate } from './date-format.ts';

function dayOf(date: string): EpochDay {
  return toEpochDay(parsePlainDate(date) ?? assert.fail());
}

const leapDay = dayOf('2024-02-29');

test('a date is parsed in its format, with any separator, and a time of day is ignored', () => {
  for (const [cell, format] of [
    ['2024-02-29', 'YYYY-MM-DD'],
    ['2024/2/29', 'YYYY-MM-DD'],
    ['2024/02/29', 'YYYY-MM-DD'],
    ['2024-02/29', 'YYYY-MM-DD'],
    [' 2024-2-29', 'YYYY-MM-DD'],
    ['2024-2-29 ', 'YYYY-MM-DD'],
    [' 2024-02-29 ', 'YYYY-MM-DD'],
    ['2024-02-29T00:00:00Z', 'YYYY-MM-DD'],
    ['2024-02-29 00:00:00-05:00', 'YYYY-MM-DD'],
    ['20240229', 'YYYYMMDD'],
    ['20240229 00:00', 'YYYYMMDD'],
    ['29/02/2024', 'DD/MM/YYYY'],
    ['29.2.2024', 'DD/MM/YYYY'],
    ['02/29/2024', 'MM/DD/YYYY'],
    ['2-29-2024', 'MM/DD/YYYY'],
    ['02/29/2024 4:00:00 PM', 'MM/DD/YYYY'],
    ['29/02/24', 'DD/MM/YY'],
    ['2.29.24', 'MM/DD/YY'],
    ['24-02-29', 'YY-MM-DD'],
  ] as const) {
    assert.equal(parseDate(cell, format), leapDay, cell);
  }
});

test('a day that does not exist, another format and other text are not dates', () => {
  for (const [cell, format] of [
    ['2023-02-29', 'YYYY-MM-DD'],
    ['2024-02-3x', 'YYYY-MM-DD'],
    ['2024-02-/1', 'YYYY-MM-DD'],
    ['2024-02-1:', 'YYYY-MM-DD'],
    ['2024-00-01', 'YYYY-MM-DD'],
    ['2024-:2-01', 'YYYY-MM-DD'],
    ['2024-/2-01', 'YYYY-MM-DD'],
    ['2024-02-29 closing', 'YYYY-MM-DD'],
    ['', 'YYYY-MM-DD'],
    ['20241301', 'YYYYMMDD'],
    ['02/29/2024', 'DD/MM/YYYY'],
    ['29/02/24', 'DD/MM/YYYY'],
    ['29/02/2024', 'DD/MM/YY'],
    ['29-foo-2024', 'DD-MON-YYYY'],
    ['30-feb-2024', 'DD-MON-YYYY'],
    ['29-02-2024', 'DD-MON-YYYY'],
  ] as const) {
    assert.equal(parseDate(cell, format), undefined, cell);
  }
});

test('the name of a month is parsed in Spanish and English, abbreviated or in full, with any separator', () => {
  const cells = [
    ['07-sep-2020', 9],
    ['07/Sep/2020', 9],
    ['7.set.2020', 9],
    ['7 sept. 2020', 9],
    ['07-SEP-20', 9],
    ['7 de septiembre de 2020', 9],
    ['7 setiembre 2020', 9],
    ['07-ene-2020', 1],
    ['07-Jan-2020', 1],
    ['07-abr-2020', 4],
    ['07 apr 2020', 4],
    ['07-ago-2020', 8],
    ['07-august-2020', 8],
    ['07-dic-2020', 12],
    ['07-dec-2020 00:00:00', 12],
  ] as const;
  for (const [cell, month] of cells) {
    const date = `2020-${String(month).padStart(2, '0')}-07`;
    assert.equal(parseDate(cell, 'DD-MON-YYYY'), dayOf(date), cell);
  }
  for (const cell of ['Feb 29, 2024', 'febrero 29 2024', 'Feb-29-2024', 'feb. 29, 2024']) {
    assert.equal(parseDate(cell, 'MON-DD-YYYY'), leapDay, cell);
  }
  assert.equal(parseDate('2024-Feb-29', 'YYYY-MON-DD'), leapDay);
});

test('a two-digit year is between 1969 and 2068', () => {
  assert.equal(parseDate('31/12/68', 'DD/MM/YY'), dayOf('2068-12-31'));
  assert.equal(parseDate('01/01/69', 'DD/MM/YY'), dayOf('1969-01-01'));
  assert.equal(parseDate('05-mar-98', 'DD-MON-YYYY'), dayOf('1998-03-05'));
});

test('a price, a ticker and a volume are not dates', () => {
  for (const cell of ['93.89', '1.234.567', '1,234.50', 'GGAL', 'MAR', '12.5K', '']) {
    assert.equal(isDate(cell), false, cell);
  }
});

test('an epoch may count seconds, milliseconds, microseconds or nanoseconds', () => {
  for (const [format, cell] of [
    ['EPOCH-S', '1735689600'],
    ['EPOCH-MS', '1735689600000'],
    ['EPOCH-US', '1735689600000000'],
    ['EPOCH-US', '1735775999999999'],
    ['EPOCH-NS', '1735689600000000000'],
  ] as const) {
    assert.equal(fromEpochDay(parseDate(cell, format) ?? assert.fail(cell)), '2025-01-01');
    const others = dateFormats.filter(
      (other) => other !== format && isEpoch(other) && looksLikeEpoch(cell, other),
    );
    assert.deepEqual(others, [], cell);
  }
});
