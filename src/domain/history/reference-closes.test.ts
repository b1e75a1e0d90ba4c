import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';

import { closeOn } from '../../../test/support/market/close-on.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { CorporateAction } from './corporate-action.ts';
import { fromEpochDay, type EpochDay, type PlainDate } from '../calendar/plain-date.ts';
import { makeQuote, type Quote } from '../quotes/quote.ts';
import {
  areSameReferences,
  comparableClose,
  onBasisOf,
  type ReferenceClose,
  type ReferenceCloses,
} from './reference-closes.ts';
import type { Ticker } from '../instruments/ticker.ts';

/** Contract 2.1.5: the age up to which a session is compared with a base. */

const [share] = makeUniverse([{ ticker: 'GGAL' }]).instruments;

/** The quote of a session whose last price is 110, with bases of 100. */
function quoteOn(
  sessionDate: string,
  bases: Readonly<Partial<Record<keyof ReferenceCloses, string>>>,
): Quote {
  assert.ok(share !== undefined);
  const references: ReferenceCloses = Object.fromEntries(
    Object.entries(bases).map(([name, date]) => [name, closeOn(date, 100)]),
  );
  const session = { sessionDate: sessionDate as PlainDate, last: 110, volume: 0 };
  return makeQuote(share, { version: 1, session, references });
}

test('contract 2.1.5: the base of the year may be any day of the previous year', () => {
  for (const [sessionDate, base, expected] of [
    ['2026-01-02', '2025-12-31', 10],
    ['2026-12-30', '2025-12-30', 10],
    ['2026-12-30', '2025-01-01', 10],
    ['2026-01-02', '2024-12-31', null],
    ['2026-12-30', '2022-06-01', null],
  ] as const) {
    const { yearToDatePct } = quoteOn(sessionDate, { yearBase: base });
    assert.equal(yearToDatePct, expected, `${sessionDate} from ${base}`);
  }
});

test('contract 2.1.5: in the first year of a listing, the year to date is null', () => {
  const first = quoteOn('2026-03-02', { previous: '2026-02-27', monthBase: '2026-02-27' });
  assert.deepEqual(
    [first.change?.value, first.monthToDatePct, first.yearToDatePct],
    [10, 10, null],
  );
});

test("contract 2.1.4: a source's previous close is of the previous session, so it is never too old", () => {
  assert.ok(share !== undefined);
  const quote = makeQuote(share, {
    version: 1,
    session: { sessionDate: '2026-03-20' as PlainDate, last: 110, volume: 0 },
    references: {},
    sourcePreviousClose: 100,
  });
  assert.deepEqual([quote.previousClose, quote.change?.value], [100, 10]);
});

/** A history with gaps of days to years, and a session some time after its last close. */
const anyHistory = fc
  .record({
    gaps: fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 20, max: 500 })), {
      minLength: 1,
      maxLength: 40,
    }),
    ahead: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 30, max: 90 })),
  })
  .map(({ gaps, ahead }) => {
    let day = 18_000;
    const days = gaps.map((gap) => (day += gap) as EpochDay);
    return { days, session: fromEpochDay((day + ahead) as EpochDay) };
  });

function dateOf(base: ReferenceClose): Temporal.PlainDate {
  return Temporal.PlainDate.from(fromEpochDay(base.day));
}

function daysUntil(base: ReferenceClose, end: Temporal.PlainDate): number {
  return dateOf(base).until(end, { largestUnit: 'days' }).days;
}

/** Whether a base is on or after the first day of a period, or at most 45 days before its end. */
function isNear(
  base: ReferenceClose | undefined,
  period: { readonly since: Temporal.PlainDate; readonly endsBefore: Temporal.PlainDate },
): boolean {
  if (base === undefined) return false;
  if (Temporal.PlainDate.compare(dateOf(base), period.since) >= 0) return true;
  return daysUntil(base, period.endsBefore.subtract({ days: 1 })) <= 45;
}

test('contract 2.1.5: for any history, a change is given exactly when its base is recent enough', () => {
  fc.assert(
    fc.property(anyHistory, ({ days, session }) => {
      const today = Temporal.PlainDate.from(session);
      const [month, year] = [today.with({ day: 1 }), today.with({ month: 1, day: 1 })];
      const lastBefore = (bound: Temporal.PlainDate): ReferenceClose | undefined => {
        const day = days.findLast((one) => fromEpochDay(one) < bound.toString());
        return day === undefined ? undefined : { day, close: 100 };
      };
      const [previous, monthBase, yearBase] = [today, month, year].map(lastBefore);
      const references: ReferenceCloses = {
        ...(previous === undefined ? {} : { previous }),
        ...(monthBase === undefined ? {} : { monthBase }),
        ...(yearBase === undefined ? {} : { yearBase }),
      };
      assert.ok(share !== undefined);
      const quote = makeQuote(share, {
        version: 1,
        session: { sessionDate: session, last: 110, volume: 0 },
        references,
      });
      assert.equal(quote.previousClose, previous?.close);
      assert.equal(
        quote.change !== null,
        previous !== undefined && daysUntil(previous, today) <= 45,
      );
      const monthBefore = { since: month.subtract({ months: 1 }), endsBefore: month };
      assert.equal(quote.monthToDatePct !== null, isNear(monthBase, monthBefore));
      const yearBefore = { since: year.subtract({ years: 1 }), endsBefore: year };
      assert.equal(quote.yearToDatePct !== null, isNear(yearBase, yearBefore));
    }),
    { numRuns: 300 },
  );
});

test('reference closes are the same when all three have the same day and close, or none', () => {
  const [day, other] = [closeOn('2026-03-20', 100), closeOn('2026-03-19', 100)];
  const dearer = closeOn('2026-03-20', 101);
  for (const name of ['previous', 'monthBase', 'yearBase']) {
    const same = (a: ReferenceClose | undefined, b: ReferenceClose | undefined): boolean =>
      areSameReferences({ previous: other, [name]: a }, { previous: other, [name]: b });
    assert.ok(same(day, { ...day }), name);
    assert.ok(same(undefined, undefined), name);
    for (const one of [other, dearer, undefined]) {
      assert.ok(!same(day, one), name);
      assert.ok(!same(one, day), name);
    }
  }
});

const cut = (date: string, factor: number): CorporateAction => ({
  ticker: 'GGAL' as Ticker,
  exDay: closeOn(date, 1).day,
  type: 'split',
  factor,
  source: 'x',
});

test('contract 2.1.4: a base is on the basis of the session if an action lies between them', () => {
  const references = {
    previous: closeOn('2026-11-19', 100),
    monthBase: closeOn('2026-10-30', 80),
    yearBase: closeOn('2025-12-30', 50),
  };
  const moved = onBasisOf(references, [cut('2026-11-02', 10)], '2026-11-20' as PlainDate);
  assert.deepEqual(moved, {
    previous: references.previous,
    monthBase: { ...references.monthBase, adjusted: 8 },
    yearBase: { ...references.yearBase, adjusted: 5 },
  });
  const bases = [moved.previous, moved.monthBase, moved.yearBase];
  assert.deepEqual(
    bases.map((base) => base && comparableClose(base)),
    [100, 8, 5],
  );
});

function on(
  date: string,
  from: ReferenceCloses,
  ...actions: readonly CorporateAction[]
): ReferenceCloses {
  return onBasisOf(from, actions, date as PlainDate);
}

test('references that no action moves are the same object, and the basis of another session is dropped', () => {
  const references = { previous: closeOn('2026-11-19', 100) };
  assert.equal(on('2026-11-20', references), references);
  assert.equal(on('2026-11-20', references, cut('2026-11-19', 2)), references);
  const moved = on('2026-11-20', references, cut('2026-11-20', 2));
  assert.equal(on('2026-11-20', moved, cut('2026-11-20', 2)), moved);
  assert.deepEqual(on('2026-11-20', moved), references);
  assert.deepEqual(on('2026-11-20', moved, cut('2026-11-20', 4)), {
    previous: { ...references.previous, adjusted: 25 },
  });
});
