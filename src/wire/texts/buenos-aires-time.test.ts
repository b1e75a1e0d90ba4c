import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { buenosAiresDay, buenosAiresTime } from './buenos-aires-time.ts';

test('contract 2.1.2: an instant is shown in Buenos Aires time, three hours behind UTC', () => {
  assert.equal(buenosAiresTime(Date.parse('2026-11-20T19:59:58.999Z')), '16:59:58');
  assert.equal(buenosAiresTime(Date.parse('2026-11-20T03:00:00Z')), '00:00:00');
  assert.equal(buenosAiresTime(Date.parse('2026-11-20T02:59:59Z')), '23:59:59');
});

test('in the summers with daylight saving time, Buenos Aires time is two hours behind UTC', () => {
  assert.equal(buenosAiresTime(Date.parse('2009-01-15T12:00:00Z')), '10:00:00');
  // Daylight saving time ended on 15 March 2009 at midnight, which was 02:00 UTC.
  assert.equal(buenosAiresTime(Date.parse('2009-03-15T01:59:59Z')), '23:59:59');
  assert.equal(buenosAiresTime(Date.parse('2009-03-15T02:00:00Z')), '23:00:00');
});

test('for any instants in any order, the time agrees with the time zone database', () => {
  const reference = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'America/Argentina/Buenos_Aires',
    timeStyle: 'medium',
  });
  const instant = fc.integer({ min: Date.parse('1995-01-01'), max: Date.parse('2040-01-01') });
  fc.assert(
    fc.property(instant, (at) => {
      assert.equal(buenosAiresTime(at), reference.format(at));
    }),
  );
});

test('instants before 1970 and in years of five digits have the right time of day', () => {
  assert.equal(buenosAiresTime(Date.parse('1969-12-01T12:00:01Z')), '09:00:01');
  assert.equal(buenosAiresTime(Date.parse('1969-12-01T02:00:00Z')), '23:00:00');
  assert.equal(buenosAiresTime(Date.parse('+012345-01-01T12:34:56Z')), '09:34:56');
});

test('contract 4.19: the day of an instant is that of Buenos Aires', () => {
  for (const [instant, day] of [
    ['2026-11-20T03:00:00Z', '2026-11-20'],
    ['2026-11-20T02:59:59.999Z', '2026-11-19'],
    ['1969-12-31T02:00:00Z', '1969-12-30'],
  ] as const) {
    assert.equal(fromEpochDay(buenosAiresDay(Date.parse(instant))), day);
  }
});
