import assert from 'node:assert/strict';
import { test } from 'node:test';
import { al30, cerZero, day, lecap } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import { checkTerms } from './check-terms.ts';

const reviewed = day('2026-11-01');

function check(...terms: readonly Partial<BondTerms>[]) {
  const universe = makeUniverse(
    ['AL30', 'AL30D', 'AL30C', 'TZXD7', 'S30N6', 'OTRO'].map((ticker) => ({
      ticker,
      kind: 'bond' as const,
      panels: ['BONOS' as const],
    })),
    [al30, cerZero, lecap].map((one, index) => ({ ...one, reviewed, ...terms[index] })),
  );
  return checkTerms(universe, day('2026-11-26'));
}

test('terms in doubt, without a review within a year, and bonds without terms are named', () => {
  const findings = check({ isVerified: false }, { reviewed: day('2025-11-25') });
  assert.deepEqual(
    findings.map(({ check: name, state, cases }) => [name, state, cases]),
    [
      ['doubts', 'warning', ['AL30']],
      ['reviews', 'warning', ['TZXD7: 2025-11-25']],
      ['maturities', 'fine', undefined],
      ['without terms', 'warning', ['OTRO']],
    ],
  );
});

test('a bond that matures within 30 days is named, and one that has matured is not checked', () => {
  const says = (findings: ReturnType<typeof check>) =>
    findings.find(({ check: name }) => name === 'maturities')?.says;
  assert.equal(says(check()), 'Soon matured: S30N6 (2026-11-30).');
  const past = check({}, {}, { maturity: day('2026-11-20'), isVerified: false });
  assert.equal(says(past), 'No bond matures within 30 days.');
  assert.equal(past[0]?.state, 'fine');
});
