import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseRfc3339 } from './rfc3339.ts';

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

test('every instant is read as Temporal reads it', () => {
  const offsets = fc.tuple(
    fc.constantFrom('+', '-'),
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
  );
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      fc.option(offsets, { nil: undefined }),
      fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), maxLength: 9 }),
      (date, offset, fraction) => {
        const zone = offset === undefined ? 'Z' : `${offset[0]}${pad(offset[1])}:${pad(offset[2])}`;
        const decimals = fraction === '' ? '' : `.${fraction}`;
        const text = `${date.toISOString().slice(0, 19)}${decimals}${zone}`;
        assert.equal(parseRfc3339(text), Temporal.Instant.from(text).epochMilliseconds);
      },
    ),
  );
});

test('a leap second is read as the second before it', () => {
  assert.equal(parseRfc3339('2016-12-31T23:59:60Z'), Date.parse('2016-12-31T23:59:59Z'));
});

test('a text without an offset, with a day that does not exist, or in another format is refused', () => {
  for (const text of [
    '',
    '2026-11-20',
    '2026-11-20T14:00:00',
    '2026-11-20 14:00:00Z',
    '2026-11-20T14:00Z',
    '2026-11-20T14:00:00+0300',
    '2026-11-20T14:00:00-03',
    '2026-11-20T14:00:00.Z',
    '2026-02-30T14:00:00Z',
    '2026-13-01T14:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T14:60:00Z',
    '2026-11-20T14:00:61Z',
    '2026-11-20T14:00:00+24:00',
    '2026-11-20T14:00:00+03:60',
    ' 2026-11-20T14:00:00Z',
    '2026-11-20T14:00:00Z\n',
    '+002026-11-20T14:00:00Z',
    '2026-11-20T14:00:00Z[America/Argentina/Buenos_Aires]',
  ]) {
    assert.equal(parseRfc3339(text), undefined, JSON.stringify(text));
  }
});
