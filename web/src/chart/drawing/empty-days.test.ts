import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dailyBars } from './bars.ts';
import { emptyDays, missingTexts } from './empty-days.ts';

// 2026-11-16 is a Monday.
const span = { first: '2026-11-14', last: '2026-11-24' };
const line = (...days: readonly string[]) => ({
  name: 'X',
  bars: dailyBars(days.map((fecha) => ({ especie: 'X', fecha, ultimo: 1, volumen: null }))),
  points: [],
});

test('the axis has the weekdays of the range before and after the bars', () => {
  assert.deepEqual(emptyDays(['2026-11-18', '2026-11-20'], span), [
    '2026-11-16',
    '2026-11-17',
    '2026-11-23',
    '2026-11-24',
  ]);
});

test('bars that fill the range leave no day, and earlier bars add none before them', () => {
  assert.deepEqual(emptyDays(['2026-11-02', '2026-11-24'], span), []);
  assert.deepEqual(emptyDays(['2026-11-16', '2026-11-24'], span), []);
});

test('a range without a bar has all its weekdays, after the bars before it', () => {
  const whole = ['16', '17', '18', '19', '20', '23', '24'].map((day) => `2026-11-${day}`);
  assert.deepEqual(emptyDays([], span), whole);
  assert.deepEqual(emptyDays(['2026-11-12'], span), ['2026-11-13', ...whole]);
  assert.deepEqual(emptyDays([], undefined), []);
});

test('a line that begins late or ended before the range is named with its day', () => {
  const long = { first: '2026-01-01', last: '2026-11-24' };
  assert.deepEqual(missingTexts([line('2025-12-01', '2026-11-24'), line('2026-11-20')], long), [
    'X tiene datos desde el 20/11/2026.',
  ]);
  assert.deepEqual(missingTexts([line('2022-03-03', '2022-03-04')], long), [
    'X no tiene ruedas en este rango. La última es del 04/03/2022.',
  ]);
});

test('holidays at the beginning of a range, and a series that is not received, are not named', () => {
  assert.deepEqual(missingTexts([line('2026-11-19'), line()], span), []);
  assert.deepEqual(missingTexts([line('2022-03-03')], undefined), []);
});
