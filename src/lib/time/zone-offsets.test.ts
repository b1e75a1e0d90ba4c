import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { ZoneOffsets } from './zone-offsets.ts';

const zones = [
  'America/Argentina/Buenos_Aires',
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
];

/** The text by Temporal alone, which takes longer. */
function expected(epochMs: number, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

const anyInstant = fc.integer({
  min: Date.parse('1930-01-01T00:00:00Z'),
  max: Date.parse('2090-01-01T00:00:00Z'),
});

for (const timeZone of zones) {
  test(`${timeZone}: the text of any instant and of any local time is that of Temporal`, () => {
    const offsets = new ZoneOffsets(timeZone);
    fc.assert(
      fc.property(anyInstant, (epochMs) => {
        assert.equal(offsets.text(epochMs), expected(epochMs, timeZone));
        const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
        const localMs = zoned.toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds;
        const local = offsets.localText(localMs);
        assert.equal(local.slice(0, 19), expected(epochMs, timeZone).slice(0, 19));
        const isUnambiguous = ['earlier', 'later'].every(
          (disambiguation) =>
            zoned
              .toPlainDateTime()
              .toZonedDateTime(timeZone, { disambiguation: disambiguation as 'earlier' })
              .epochMilliseconds === epochMs,
        );
        if (isUnambiguous) assert.equal(local, expected(epochMs, timeZone));
      }),
    );
  });
}

test('the offset changes at the instant of the change, whichever side of it is asked for first', () => {
  const change = Date.parse('2026-11-01T06:00:00Z');
  for (const order of [
    [-1, 0, 1],
    [1, 0, -1],
    [0, -1, 1],
  ]) {
    const offsets = new ZoneOffsets('America/New_York');
    for (const by of order) {
      const text = offsets.text(change + by);
      assert.ok(text.endsWith(by < 0 ? '-04:00' : '-05:00'), `${by}: ${text}`);
    }
  }
});
