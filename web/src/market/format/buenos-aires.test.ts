import assert from 'node:assert/strict';
import { test } from 'node:test';

import { buenosAiresDay, formatInstant, quoteInstant, formatMoment } from './buenos-aires.ts';

const noon = Date.parse('2026-11-20T15:00:00Z');

test('an instant is shown in Buenos Aires time, whatever the zone of the browser', () => {
  assert.equal(formatInstant(Date.parse('2026-11-20T20:00:00Z'), noon), '17:00');
  assert.equal(formatInstant(Date.parse('2026-11-23T14:00:00Z'), noon), 'lun 11:00');
});

test('a time of tomorrow has its weekday, even if it is less than a day away', () => {
  assert.equal(formatInstant(Date.parse('2026-11-21T14:00:00Z'), noon), 'sáb 11:00');
});

test('the end of the present day is 24:00, and that of another day has its weekday', () => {
  const midnight = Date.parse('2026-11-21T03:00:00Z');
  assert.equal(formatInstant(midnight, noon), '24:00');
  assert.equal(formatInstant(midnight, midnight), '00:00');
  assert.equal(formatInstant(midnight, noon - 86_400_000), 'sáb 00:00');
});

test('the day of an instant changes at midnight in Buenos Aires', () => {
  assert.equal(buenosAiresDay(Date.parse('2026-11-21T02:59:59Z')), '2026-11-20');
  assert.equal(buenosAiresDay(Date.parse('2026-11-21T03:00:00Z')), '2026-11-21');
});

test('the time of a quote is Buenos Aires time', () => {
  assert.equal(quoteInstant('2026-11-20', '12:00:00'), noon);
});

test('a moment has its day only if that is not today in Buenos Aires', () => {
  const moment = Date.parse('2026-11-20T14:00:05Z');
  assert.equal(formatMoment(moment, moment + 3_600_000), '11:00:05');
  assert.equal(formatMoment(moment, Date.parse('2026-11-21T03:00:00Z')), '20/11 11:00:05');
});
