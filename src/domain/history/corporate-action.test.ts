import assert from 'node:assert/strict';
import { test } from 'node:test';

import { factorOfTerms } from './corporate-action.ts';

test('a rights issue has the factor of its publishers', () => {
  // IAS 33, illustrative example 4: one new share for five held at 5.00, and a price of 11.00 before.
  const ias33 = factorOfTerms({ type: 'rights-issue', ratio: 1 / 5, price: 5 }, 11);
  assert.equal(ias33, 1.1);
  // Four held at 40 and one at 30 are five at 38.
  const terp = 40 / (factorOfTerms({ type: 'rights-issue', ratio: 1 / 4, price: 30 }, 40) ?? 0);
  assert.equal(terp.toFixed(9), '38.000000000');
});

test('a spin-off has the factor of its publishers', () => {
  // eBay closed at 66.29 and PayPal, one share for each, at 38.39 when issued. Yahoo Finance has the factor 2.376.
  const paypal = factorOfTerms({ type: 'spin-off', ratio: 1, price: 38.39 }, 66.29);
  assert.equal(paypal?.toFixed(3), '2.376');
  // One share at 30 for three held, and a price of 50 before: 40 remain.
  assert.equal(factorOfTerms({ type: 'spin-off', ratio: 1 / 3, price: 30 }, 50), 1.25);
});

test('terms that would not lower the price have no factor', () => {
  for (const price of [11, 12]) {
    assert.equal(factorOfTerms({ type: 'rights-issue', ratio: 1, price }, 11), undefined);
    assert.equal(factorOfTerms({ type: 'spin-off', ratio: 1, price }, 11), undefined);
  }
});
