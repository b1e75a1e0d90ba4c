import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import { packCloses, unpackCloses } from './close-columns.ts';

const number = fc.double({ noNaN: true });
const close = fc.record(
  {
    day: fc.integer({ min: -1e6, max: 1e6 }).map((day) => day as EpochDay),
    // A close that is not a number is refused where it is stored, not on the way there.
    close: fc.double(),
    volume: fc.option(number),
    open: number,
    high: number,
    low: number,
    source: fc.constantFrom('', 'a', 'b', 'ñ\n'),
  },
  { requiredKeys: ['day', 'close', 'volume'] },
);

test('closes are equal in every field after they were packed', () => {
  fc.assert(
    fc.property(fc.array(close), (closes) => {
      const { numbers, sources } = packCloses(closes);
      const sent = structuredClone({ numbers, sources });
      const expected = closes.map((one): DailyClose => ({ ...one }));
      assert.deepEqual(unpackCloses(sent), expected);
    }),
  );
});
