import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derivedValue, type Derivation } from './derivation.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import type { Ticker } from './ticker.ts';

const [a, b] = ['A', 'B'] as Ticker[] as [Ticker, Ticker];

function derive(
  derivation: Derivation,
  values: Readonly<Record<string, number>>,
  date = '2025-01-02',
): number | undefined {
  return derivedValue(derivation, date as PlainDate, (ticker) => values[ticker]);
}

const scaled: Derivation = {
  type: 'scaled',
  source: a,
  factors: [
    { since: '2024-01-01' as PlainDate, factor: 1.6 },
    { since: '2025-01-01' as PlainDate, factor: 1.3 },
  ],
};

test('each derivation computes its formula', () => {
  assert.equal(derive({ type: 'ratio', numerator: a, denominator: b }, { A: 90, B: 60 }), 1.5);
  assert.equal(derive({ type: 'gap', value: a, base: b }, { A: 90, B: 60 }), 50);
  assert.equal(derive({ type: 'alias', source: a }, { A: 7 }), 7);
  assert.equal(derive(scaled, { A: 100 }), 130);
});

test('a factor applies from its date on', () => {
  assert.equal(derive(scaled, { A: 100 }, '2024-12-31'), 160);
  assert.equal(derive(scaled, { A: 100 }, '2025-01-01'), 130);
  assert.equal(derive(scaled, { A: 100 }, '2023-12-31'), undefined);
});

test('there is no value when an input is missing or a divisor is zero', () => {
  const ratio: Derivation = { type: 'ratio', numerator: a, denominator: b };
  const gap: Derivation = { type: 'gap', value: a, base: b };
  for (const values of [{}, { A: 1 }, { B: 1 }, { A: 1, B: 0 }, { A: 0, B: 0 }]) {
    assert.equal(derive(ratio, values), undefined);
    assert.equal(derive(gap, values), undefined);
  }
  assert.equal(derive({ type: 'alias', source: a }, {}), undefined);
});
