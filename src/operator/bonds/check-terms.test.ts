import assert from 'node:assert/strict';
import { test } from 'node:test';
import { al30, cerZero, day, lecap } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { checkTerms } from './check-terms.ts';

const reviewed = day('2026-11-01');

/** Bonds with these changes of their terms, of which some have a quote. */
function check(
  terms: readonly Partial<BondTerms>[] = [],
  given: { readonly quoted?: ReadonlySet<Ticker> } = {},
) {
  const universe = makeUniverse(
    ['AL30', 'AL30D', 'AL30C', 'TZXD7', 'S30N6', 'OTRO'].map((ticker) => ({
      ticker,
      kind: 'bond' as const,
      panels: ['BONOS' as const],
    })),
    [al30, cerZero, lecap].map((one, index) => ({ ...one, reviewed, ...terms[index] })),
  );
  return checkTerms({ universe, bonds: new Bonds(universe), today: day('2026-11-26'), ...given });
}

test('terms in doubt, without a review within a year, and bonds without terms are named', () => {
  const findings = check([{ isVerified: false }, { reviewed: day('2025-11-25') }]);
  assert.deepEqual(
    findings.map(({ check: name, state, cases }) => [name, state, cases]),
    [
      ['doubtful terms', 'warning', ['AL30']],
      ['reviewed terms', 'warning', ['TZXD7: 2025-11-25']],
      ['maturing bonds', 'fine', undefined],
      ['missing terms', 'warning', ['OTRO']],
    ],
  );
});

test('a bond that matures within 30 days is named, and one that has matured is not checked', () => {
  const says = (findings: ReturnType<typeof check>) =>
    findings.find(({ check: name }) => name === 'maturing bonds')?.says;
  assert.equal(says(check()), 'Within 30 days mature: S30N6 (2026-11-30).');
  const past = check([{}, {}, { maturity: day('2026-11-20'), isVerified: false }]);
  assert.equal(says(past), 'No bond matures within 30 days.');
  assert.equal(past[0]?.state, 'fine');
});

test('of the bonds with a quote of any class alone, doubts and missing terms are a warning', () => {
  const terms = [{ isVerified: false }, { reviewed: day('2025-11-25') }];
  const summary = (...quoted: readonly string[]) =>
    check(terms, { quoted: new Set(quoted as readonly Ticker[]) }).map((one) => [
      one.state,
      one.cases ?? one.says,
    ]);
  const maturing = ['fine', 'Within 30 days mature: S30N6 (2026-11-30).'];
  assert.deepEqual(summary('GGAL'), [
    ['fine', 'No bond with a quote has terms in doubt. Others have: AL30.'],
    [
      'fine',
      'The terms of all bonds with a quote were reviewed within a year. Those of others were not: TZXD7.',
    ],
    maturing,
    ['fine', 'All bonds with a quote have terms.'],
  ]);
  assert.deepEqual(summary('AL30C', 'TZXD7', 'OTRO'), [
    ['warning', ['AL30']],
    ['warning', ['TZXD7: 2025-11-25']],
    maturing,
    ['warning', ['OTRO']],
  ]);
});
