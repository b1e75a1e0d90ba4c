import assert from 'node:assert/strict';
import { test } from 'node:test';

import { instrumentKinds } from '../domain/instruments/instrument.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Update } from '../domain/quotes/update.ts';
import { implausibility } from './plausibility.ts';

const now = Date.parse('2026-11-20T12:00:00-03:00');

function judge(fields: Partial<Update>, kind: 'share' | 'spread' = 'share'): string | undefined {
  const update = { ticker: 'GGAL' as Ticker, at: now, ...fields };
  return implausibility(update, instrumentKinds[kind], now);
}

const prices = ['last', 'open', 'high', 'low', 'previousClose', 'close'] as const;

test('an update with any one price or a volume is plausible', () => {
  for (const field of prices) assert.equal(judge({ [field]: 0.01 }), undefined, field);
  assert.equal(judge({ volume: 0 }), undefined);
  assert.equal(judge({}), 'empty');
});

test('a value that is not a finite number is refused in every field', () => {
  for (const value of [Number.NaN, Infinity, -Infinity]) {
    for (const field of prices) assert.equal(judge({ [field]: value }), 'not-finite', field);
    assert.equal(judge({ volume: value }), 'not-finite');
    assert.equal(judge({ at: value, last: 1 }), 'not-finite');
    assert.equal(judge({ last: 1, volume: value }), 'not-finite');
  }
});

test('a price of zero or below is refused, and a rate of zero or below is accepted', () => {
  for (const value of [0, -1]) {
    for (const field of prices) {
      assert.equal(judge({ [field]: value }), 'not-positive', field);
      assert.equal(judge({ [field]: value }, 'spread'), undefined, field);
    }
  }
  assert.equal(judge({ volume: -1 }), 'negative-volume');
});

test('an instant may be a minute ahead of the clock, and not before 1990', () => {
  assert.equal(judge({ at: now + 60_000, last: 1 }), undefined);
  assert.equal(judge({ at: now + 60_001, last: 1 }), 'in-future');
  assert.equal(judge({ at: Date.parse('1990-01-01T00:00:00Z'), last: 1 }), undefined);
  assert.equal(judge({ at: Date.parse('1990-01-01T00:00:00Z') - 1, last: 1 }), 'before-1990');
  for (const placeholder of [Date.parse('0001-01-01T00:00:00Z'), -1, 0, Math.trunc(now / 1_000)]) {
    assert.equal(judge({ at: placeholder, last: 1 }), 'before-1990', String(placeholder));
  }
});
