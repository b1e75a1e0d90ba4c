import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../calendar/plain-date.ts';
import type { ChangeOrigin, StoreChange } from '../changes/version.ts';
import type { IssueTerms } from '../instruments/issue-terms.ts';
import type { Ticker } from '../instruments/ticker.ts';
import { termsChanges } from './terms-changes.ts';
import type { TermsVersion } from './versions.ts';

const [al30, al30d, al30c] = ['AL30', 'AL30D', 'AL30C'] as [Ticker, Ticker, Ticker];

function by(at: number, origin: ChangeOrigin = 'universe'): StoreChange {
  return { at, origin };
}

function issue(values: IssueTerms['values'], series: readonly Ticker[] = [al30d]): IssueTerms {
  return { ticker: al30, series, values };
}

/** The first record of a store, and each later value with the instant of its change. */
function versionsOf(first: IssueTerms, ...later: [at: number, value: IssueTerms][]) {
  const all: [StoreChange, IssueTerms][] = [
    [by(10, 'unknown'), first],
    ...later.map(([at, value]): [StoreChange, IssueTerms] => [by(at), value]),
  ];
  return all.map(([stored, value], index): TermsVersion => {
    const replaced = all[index + 1]?.[0];
    return replaced === undefined ? { value, stored } : { value, stored, replaced };
  });
}

/** The instant, the day, the field, both values and the source of each change. */
function changesOf(versions: readonly TermsVersion[], ticker: Ticker): readonly unknown[] {
  return termsChanges(versions, ticker, (at) => (at + 1_000) as EpochDay).map((one) => [
    one.by.at,
    one.day,
    one.field,
    one.before,
    one.after,
    one.source,
  ]);
}

test('each term that differs is a change, for every class of the issue, and the first record is none', () => {
  const versions = versionsOf(issue({ rates: '2020-09-04=1', couponMonths: 6, factor: 1 }), [
    20,
    issue({ rates: '2020-09-04=2', couponMonths: 6, margin: 0.5, termsSources: 'notice' }),
  ]);
  const expected = [
    [20, 1_020, 'rates', '2020-09-04=1', '2020-09-04=2', 'notice'],
    [20, 1_020, 'margin', null, 0.5, 'notice'],
    [20, 1_020, 'factor', 1, null, 'notice'],
  ];
  assert.deepEqual(changesOf(versions, al30), expected);
  assert.deepEqual(changesOf(versions, al30d), expected);
  assert.deepEqual(changesOf(versions, al30c), []);
});

test('of an instrument whose ticker has changed, the changes under the earlier ticker are listed, and the rename is none', () => {
  const versions = versionsOf(
    issue({ rates: '2020-09-04=1', couponMonths: 6 }),
    [20, issue({ rates: '2020-09-04=2', couponMonths: 6 })],
    [
      30,
      { ticker: 'AL35' as Ticker, series: [], values: { rates: '2020-09-04=2', couponMonths: 6 } },
    ],
    [
      40,
      { ticker: 'AL35' as Ticker, series: [], values: { rates: '2020-09-04=3', couponMonths: 6 } },
    ],
  );
  const listed = termsChanges(versions, 'AL35' as Ticker, (at) => at as EpochDay, [al30]);
  assert.deepEqual(
    listed.map(({ by: { at }, field, before, after }) => [at, field, before, after]),
    [
      [20, 'rates', '2020-09-04=1', '2020-09-04=2'],
      [40, 'rates', '2020-09-04=2', '2020-09-04=3'],
    ],
  );
});

test('a change of the state is listed; one of the sources, the day of the check or the classes alone is not', () => {
  const first = { termsState: 'verificado', termsReviewed: '2026-11-01', termsSources: 'one' };
  const versions = versionsOf(
    issue(first),
    [20, issue({ ...first, termsReviewed: '2026-11-26', termsSources: 'two' })],
    [30, issue({ ...first, termsReviewed: '2026-11-26' }, [al30d, al30c])],
    [40, issue({ ...first, termsState: 'en-duda' }, [al30d, al30c])],
  );
  const doubt = [40, 1_040, 'termsState', 'verificado', 'en-duda', 'one'];
  assert.deepEqual(changesOf(versions, al30), [doubt]);
});

test('a class that is added to an issue has got terms, and one that is taken out has lost them', () => {
  const versions = versionsOf(
    issue({ law: 'AR', termsSources: 'law' }),
    [20, issue({ law: 'AR', termsSources: 'law' }, [al30d, al30c])],
    [30, issue({ law: 'AR', termsSources: 'law' }, [])],
    [40, issue({ law: 'AR', termsSources: 'law' }, [al30c])],
  );
  assert.deepEqual(changesOf(versions, al30c), [
    [20, 1_020, 'law', null, 'AR', 'law'],
    [30, 1_030, 'law', 'AR', null, 'law'],
    [40, 1_040, 'law', null, 'AR', 'law'],
  ]);
  assert.deepEqual(changesOf(versions, al30d), [[30, 1_030, 'law', 'AR', null, 'law']]);
  assert.deepEqual(changesOf(versions, al30), []);
});

test('an instrument that moves to another issue has the terms of that one instead', () => {
  const other: IssueTerms = { ticker: 'AL30X' as Ticker, series: [al30d], values: { law: 'NY' } };
  const versions = [
    { value: other, stored: by(20), replaced: by(30) },
    { value: { ...other, series: [] }, stored: by(30) },
    { value: issue({ law: 'AR' }), stored: by(10, 'unknown'), replaced: by(20) },
    { value: issue({ law: 'AR' }, []), stored: by(20), replaced: by(30) },
    { value: issue({ law: 'AR' }), stored: by(30) },
  ];
  assert.deepEqual(changesOf(versions, al30d), [
    [20, 1_020, 'law', 'AR', 'NY', undefined],
    [30, 1_030, 'law', 'NY', 'AR', undefined],
  ]);
});

test('the order of one issue is that of the commits, also after a clock was set back', () => {
  const versions = versionsOf(
    issue({ law: 'AR' }),
    [50, issue({ law: 'NY' })],
    [20, issue({ law: 'AR' })],
  );
  assert.deepEqual(changesOf(versions, al30), [
    [50, 1_050, 'law', 'AR', 'NY', undefined],
    [20, 1_020, 'law', 'NY', 'AR', undefined],
  ]);
});
