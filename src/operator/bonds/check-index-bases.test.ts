import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  byma,
  cerZero,
  day,
  lecap,
  sampleBond,
} from '../../../test/support/market/bond-samples.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import { checkIndexBases } from './check-index-bases.ts';

function check(terms: readonly BondTerms[], values: Readonly<Record<string, number>>) {
  const series = new IndexSeries(
    1,
    Object.entries(values).map(([key, value]) => {
      const [index, date] = key.split(' ') as [IndexName, string];
      return { index, day: toEpochDay(day(date)), value, source: 'x' };
    }),
  );
  return checkIndexBases(terms.map(sampleBond), series, () => byma);
}

/** Issued on Tuesday 24 November 2026. Its base is of ten business days before, over a holiday. */
const recent: BondTerms = { ...cerZero, issued: day('2026-11-24'), indexation: at(800.1234) };

function at(base: number) {
  return { index: 'CER', lagDays: 10, base } as const;
}

test('the base of the terms is compared with the stored index of the lag before the issue', () => {
  assert.deepEqual(check([recent, lecap], { 'CER 2026-11-09': 800.1234 }), {
    check: 'index bases',
    state: 'fine',
    says: 'The stored indices agree with the terms of 1 issues.',
  });
  const { state, cases, todo } = check([recent], {
    'CER 2026-11-09': 801.2,
    'CER 2026-11-24': 800.1234,
  });
  assert.equal(state, 'warning');
  assert.deepEqual(cases, ['TZXD7: base_indice is 800.1234, and the CER of 2026-11-09 is 801.2']);
  assert.match(todo ?? '', /base_indice, emision and rezago in bonds\.csv/);
});

test('a rounded base agrees', () => {
  const values = { 'CER 2026-11-09': 800.1234 };
  assert.equal(check([{ ...recent, indexation: at(800.12) }], values).state, 'fine');
  assert.equal(check([{ ...recent, indexation: at(800.2) }], values).state, 'warning');
});

test('what is not stored is not compared, and neither is the base 1 of an exchange rate', () => {
  const says = 'No bond has an index whose value at the issue is stored.';
  assert.equal(check([recent], { 'CER 2026-11-10': 5 }).says, says);
  const linked = { index: 'A3500', lagDays: 3, base: 1 } as const;
  const values = { 'A3500 2026-11-18': 1500 };
  assert.equal(check([{ ...recent, indexation: linked }], values).says, says);
  const inPesos = { ...linked, base: 1400 };
  assert.equal(check([{ ...recent, indexation: inPesos }], values).state, 'warning');
});

test('in a year whose holidays are not known, the base may be of a few business days before', () => {
  // Ten weekdays before are 2024-03-01. The calendar of this test has the holidays of 2026 alone.
  const old = { ...cerZero, indexation: at(100.5) };
  const before = { 'CER 2024-02-28': 100, 'CER 2024-02-29': 100.5, 'CER 2024-03-01': 101 };
  assert.equal(check([old], before).state, 'fine');
  assert.equal(check([{ ...old, indexation: at(102) }], before).state, 'warning');
  assert.equal(check([{ ...old, indexation: at(99) }], before).state, 'warning');
});
