import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { differenceObject, formatDifference, formatDifferenceCsv } from './differences.ts';

const difference: CloseConflict = {
  ticker: 'DOLAR MEP' as Ticker,
  day: 20_000 as EpochDay,
  stored: 1000,
  storedSource: 'import:a, "b".csv',
  offered: 1000.01,
  offeredSource: 'data912',
};
const { storedSource: _, ...unknown } = difference;

test('a difference is a line with both closes, their sources, and the difference in percent', () => {
  assert.equal(
    formatDifference(difference),
    'DOLAR MEP 2024-10-04: stored 1000 of import:a, "b".csv, data912 has 1000.01 (+0.001 %)',
  );
  assert.equal(
    formatDifference({ ...unknown, offered: 900 }),
    'DOLAR MEP 2024-10-04: stored 1000 of an unknown source, data912 has 900 (-10 %)',
  );
  assert.equal(
    formatDifference({ ...difference, stored: 0, storedSource: 'session' }),
    'DOLAR MEP 2024-10-04: stored 0 of session, data912 has 1000.01',
  );
});

function percent(stored: number, offered: number): number | null {
  return differenceObject({ ...difference, stored, offered }).differencePct;
}

test('the difference is that from the stored close, also below zero, with four decimals', () => {
  assert.equal(percent(3, 4), 33.3333);
  assert.equal(percent(-2, -1), 50);
  assert.equal(percent(-2, -3), -50);
  assert.equal(percent(1, 0), -100);
  assert.equal(percent(0, 1), null);
  assert.equal(percent(0, 0), null);
  assert.equal(percent(Number.MIN_VALUE, 1), null);
});

test('JSON has null, and CSV an empty cell, for what is not known', () => {
  const { ticker, date, stored, storedSource, other, otherSource } = differenceObject(unknown);
  assert.deepEqual(
    [ticker, date, stored, storedSource, other, otherSource],
    ['DOLAR MEP', '2024-10-04', 1000, null, 1000.01, 'data912'],
  );
  const zero = { ...unknown, stored: 0, offered: 1e-7 };
  assert.equal(formatDifferenceCsv(zero), 'DOLAR MEP,2024-10-04,0,,0.0000001,data912,\r\n');
  assert.equal(
    formatDifferenceCsv(difference),
    'DOLAR MEP,2024-10-04,1000,"import:a, ""b"".csv",1000.01,data912,0.001\r\n',
  );
});
