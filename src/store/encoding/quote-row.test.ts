import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { makeLiveBar } from '../../domain/quotes/minute-bar.ts';
import { bookFieldNames } from '../../domain/quotes/quote-fields.ts';
import type { EpochDay, PlainDate } from '../../domain/calendar/plain-date.ts';
import type { LiveSession, StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { fromQuoteRow, toQuoteRows } from './quote-row.ts';

// JSON has no negative zero.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
// The difference of two is a number, too.
const volume = fc.double({ noNaN: true, min: 0, max: 1e300 });
const instant = fc.integer({ min: 0, max: 4_102_444_800_000 });

const base = fc.record(
  {
    day: fc.integer({ min: -1e6, max: 1e6 }).map((day) => day as EpochDay),
    close: number,
    adjusted: number,
  },
  { requiredKeys: ['day', 'close'], noNullPrototype: true },
);

const book = fc.record(
  {
    at: fc.integer({ min: 1, max: 4_102_444_800_000 }),
    ...Object.fromEntries(bookFieldNames.map((field) => [field, number])),
  },
  { requiredKeys: ['at'], noNullPrototype: true },
);
const anyBar = fc
  .record({
    day: fc.integer({ min: -1e6, max: 1e6 }).map((day) => day as EpochDay),
    minute: fc.integer(),
    open: number,
    high: number,
    low: number,
    last: number,
    volumeFrom: volume,
    volumeTo: fc.option(volume),
    isRecorded: fc.boolean(),
  })
  .map((bar) => makeLiveBar(bar));

const anyQuote: fc.Arbitrary<StoredQuote> = fc.record(
  {
    ticker: fc.constantFrom('AL30', 'DOLAR MEP', 'Ñ', 'BTC').map((text) => text as Ticker),
    version: fc.maxSafeNat(),
    plainVersion: fc.maxSafeNat(),
    session: fc.record(
      {
        sessionDate: fc.constant('2026-11-20' as PlainDate),
        asOf: instant,
        last: number,
        open: number,
        high: number,
        low: number,
        volume: fc.option(number),
        openAt: fc.option(instant),
        sourcePreviousClose: number,
        isInHistory: fc.boolean(),
        historyClose: fc.option(number),
        officialCloseAt: instant,
        shown: fc.record(
          {
            previousClose: number,
            change: fc.option(number),
            monthToDatePct: fc.option(number),
            yearToDatePct: fc.option(number),
          },
          { requiredKeys: ['change', 'monthToDatePct', 'yearToDatePct'], noNullPrototype: true },
        ),
        book,
      } satisfies Record<keyof LiveSession, object>,
      {
        requiredKeys: ['sessionDate', 'last', 'volume', 'openAt', 'isInHistory', 'historyClose'],
        noNullPrototype: true,
      },
    ),
    references: fc.record(
      { previous: base, monthBase: base, yearBase: base },
      { requiredKeys: [], noNullPrototype: true },
    ),
    bar: anyBar,
    setAside: fc.record(
      {
        day: fc.integer({ min: -1e6, max: 1e6 }).map((day) => day as EpochDay),
        close: number,
        sessionDate: fc.constantFrom('1990-01-02', '2026-11-20').map((date) => date as PlainDate),
        comparable: number,
        price: number,
        at: instant,
        isConfirmed: fc.boolean(),
      },
      { noNullPrototype: true },
    ),
    source: fc.record(
      {
        name: fc.constantFrom('byma', 'data912'),
        delayMinutes: fc.nat(),
        via: fc.constantFrom('oficina', 'centro'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  } satisfies Record<keyof StoredQuote, object>,
  {
    requiredKeys: ['ticker', 'version', 'session', 'references'],
    noNullPrototype: true,
  },
);

test('a quote is equal in every field after its row was sent to another thread', () => {
  fc.assert(
    fc.property(fc.array(anyQuote, { maxLength: 5 }), (quotes) => {
      const rows = structuredClone(toQuoteRows(quotes));
      assert.deepEqual(
        rows.map((row) => fromQuoteRow('a row', row)),
        quotes,
      );
    }),
  );
});
