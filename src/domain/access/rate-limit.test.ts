import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { allowanceForm, formatAllowance, parseAllowance, partOf, refillMs } from './rate-limit.ts';

test('a rate with a burst, a rate without one, and "unlimited" are parsed', () => {
  assert.deepEqual(parseAllowance('60/min burst 20'), { requests: 60, seconds: 60, burst: 20 });
  assert.deepEqual(parseAllowance(' 10 / s '), { requests: 10, seconds: 1, burst: 10 });
  assert.deepEqual(parseAllowance('5/h'), { requests: 5, seconds: 3_600, burst: 5 });
  assert.deepEqual(parseAllowance('1/day burst 3'), { requests: 1, seconds: 86_400, burst: 3 });
  assert.equal(parseAllowance('unlimited'), 'unlimited');
});

test('zeros, signs, fractions, unknown units and incomplete texts are refused', () => {
  const wrong = [
    '',
    '60',
    '60/',
    '0/min',
    '-1/s',
    '1.5/s',
    '60/m',
    '60/min burst',
    '60/min burst 0',
  ];
  for (const text of [...wrong, '60/min 20', 'Unlimited', '60/min burst 20 x', '99999999/s']) {
    assert.equal(parseAllowance(text), undefined, text);
  }
});

test('a formatted allowance is parsed as the same allowance', () => {
  const allowance = fc.oneof(
    fc.constant('unlimited' as const),
    fc
      .tuple(
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.constantFrom(1, 60, 3_600, 86_400),
        fc.integer({ min: 1, max: 9_999_999 }),
      )
      .map(([requests, seconds, burst]) => ({ requests, seconds, burst })),
  );
  fc.assert(
    fc.property(allowance, (one) => {
      assert.deepEqual(parseAllowance(formatAllowance(one)), one);
    }),
  );
});

test('at 60 requests a minute, the allowance of one request refills in a second', () => {
  assert.equal(refillMs({ requests: 60, seconds: 60, burst: 20 }), 1_000);
});

test('a limit is formatted with its unit, and with its burst only where that differs from the rate', () => {
  const limit = { requests: 60, seconds: 60, burst: 60 };
  assert.equal(formatAllowance(limit), '60/min');
  assert.equal(formatAllowance({ ...limit, burst: 20 }), '60/min burst 20');
  assert.equal(formatAllowance({ ...limit, seconds: 7 }), '60/7s');
  assert.equal(formatAllowance('unlimited'), 'unlimited');
});

test('each form that an error message shows is parsed', () => {
  const shown = [...allowanceForm.matchAll(/"([^"]+)"/g)].map(([, form = '']) => form);
  assert.deepEqual(shown, ['60/min burst 20', '60/min', 'unlimited']);
  for (const form of shown) assert.notEqual(parseAllowance(form), undefined, form);
  const [, units = ''] = /\(per ([^)]+)\)/.exec(allowanceForm) ?? [];
  assert.deepEqual(units.split(/, | or /), ['s', 'min', 'h', 'day']);
});

test('the parts of a limit allow its rate exactly, and together no larger burst unless each allows one request', () => {
  const limit = { requests: 60, seconds: 60, burst: 20 };
  assert.deepEqual(partOf(limit, 1), limit);
  assert.deepEqual(partOf(limit, 3), { requests: 60, seconds: 180, burst: 6 });
  assert.deepEqual(partOf({ ...limit, burst: 2 }, 3), { requests: 60, seconds: 180, burst: 1 });
});
