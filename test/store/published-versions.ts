import * as fc from 'fast-check';

import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import type { EpochDay } from '../../src/domain/calendar/plain-date.ts';

/** A version of a series that a source published, and the instant at which it was imported. */
export interface PublishedVersion {
  readonly at: number;
  readonly closes: readonly DailyClose[];
}

const value = fc.constantFrom(1, 2, 3.5);

const closes: fc.Arbitrary<readonly DailyClose[]> = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: 20_000, max: 20_130 }) as unknown as fc.Arbitrary<EpochDay>,
      close: value,
      volume: fc.constantFrom(null, 0, 7),
      high: fc.option(value, { nil: undefined }),
      source: fc.constantFrom('one', 'otro'),
    }),
    { selector: (one) => one.day, maxLength: 40 },
  )
  .map((rows) =>
    rows
      .map(({ high, ...row }): DailyClose => (high === undefined ? row : { ...row, high }))
      .toSorted((a, b) => a.day - b.day),
  );

/** Versions of one series in the order of their publication: each one repeats, corrects and adds days. */
export const publishedVersions: fc.Arbitrary<readonly PublishedVersion[]> = fc
  .array(fc.tuple(fc.integer({ min: 2, max: 1_000_000 }), closes), { minLength: 1, maxLength: 6 })
  .map((parts) => {
    let at = Date.UTC(2026, 0, 2);
    return parts.map(([later, rows]) => ({ at: (at += later), closes: rows }));
  });
