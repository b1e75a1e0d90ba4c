import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { firstEpochDay, lastEpochDay, type EpochDay } from '../domain/calendar/plain-date.ts';
import { DaySet } from './file-series.ts';

test('the set contains exactly the days that were added, before 1970 too', () => {
  const day = fc.oneof(
    fc.integer({ min: -100, max: 100 }),
    fc.integer({ min: firstEpochDay, max: lastEpochDay }),
  );
  fc.assert(
    fc.property(fc.array(day), fc.array(day), (added, asked) => {
      const set = new DaySet();
      const twin = new Set(added);
      for (const one of added) set.add(one as EpochDay);
      for (const one of [...added, ...asked]) assert.equal(set.has(one as EpochDay), twin.has(one));
    }),
  );
});
