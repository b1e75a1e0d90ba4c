import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { parseHttpDate } from './http-date.ts';

const now = Date.parse('2026-11-20T20:00:00Z');

test('RFC 9110 5.6.7: the three formats of a date give the same instant', () => {
  const at = Date.parse('1994-11-06T08:49:37Z');
  assert.equal(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', now), at);
  assert.equal(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now), at);
  assert.equal(parseHttpDate('Sun Nov  6 08:49:37 1994', now), at);
});

test('RFC 9110 5.6.7: every weekday is parsed in its full and in its short form', () => {
  for (let day = 0; day < 7; day += 1) {
    const at = Date.UTC(1994, 10, 6 + day, 8, 49, 37);
    const date = new Date(at);
    const weekdayOf = (weekday: 'long' | 'short') =>
      new Intl.DateTimeFormat('en', { weekday, timeZone: 'UTC' }).format(date);
    const [long, short] = [weekdayOf('long'), weekdayOf('short')];
    const dayOfMonth = String(6 + day);
    const padded = dayOfMonth.padStart(2, '0');
    assert.equal(parseHttpDate(`${long}, ${padded}-Nov-94 08:49:37 GMT`, now), at, long);
    const asctime = `${short} Nov ${dayOfMonth.padStart(2)} 08:49:37 1994`;
    assert.equal(parseHttpDate(asctime, now), at, asctime);
    assert.equal(
      parseHttpDate(`${short}day, ${padded}-Nov-94 08:49:37 GMT`, now) === at,
      long === `${short}day`,
    );
  }
});

function yearOf(text: string): number {
  return new Date(parseHttpDate(text, now) ?? Number.NaN).getUTCFullYear();
}

test('RFC 9110 5.6.7: a two-digit year lies at most 50 years in the future', () => {
  assert.equal(yearOf('Friday, 20-Nov-76 20:00:00 GMT'), 2076);
  assert.equal(yearOf('Sunday, 20-Nov-77 20:00:00 GMT'), 1977);
});

test('every instant is parsed back from its preferred format', () => {
  const seconds = fc.integer({ min: -30_000_000_000, max: 250_000_000_000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const at = second * 1_000;
      assert.equal(parseHttpDate(new Date(at).toUTCString(), now), at);
    }),
  );
});

test('a text that is not an HTTP date, or whose day does not exist, gives no instant', () => {
  for (const text of [
    '',
    '0',
    'yesterday',
    '2026-11-20',
    '2026-11-20T20:00:00Z',
    'Fri, 20 Nov 2026 20:00:00',
    'Fri, 20 Nov 2026 20:00:00 UTC',
    'Fri, 20 Nov 2026 17:00:00 -0300',
    'fri, 20 nov 2026 20:00:00 gmt',
    'Fri, 20 Nov 2026 20:00:00 GMT, Fri, 20 Nov 2026 20:00:00 GMT',
    'Mon, 20 Nov 2026 20:00:00 GMT',
    'Mon, 30 Feb 2026 20:00:00 GMT',
    'Fri, 20 Nov 2026 24:00:00 GMT',
    'Fri, 20 Nov 26 20:00:00 GMT',
    'Friendly, 20-Nov-26 20:00:00 GMT',
    'Fri Nov 20 20:00:00 GMT 2026',
    'Fri Nov 31 20:00:00 2026',
  ]) {
    assert.equal(parseHttpDate(text, now), undefined, text);
  }
});
