import assert from 'node:assert/strict';
import { test } from 'node:test';

import { InvalidArgumentError } from 'commander';

import { parseCount, parseDuration, parseExpiry, parseLabel, parseLimit } from './key-flags.ts';

test('a day includes its end in Buenos Aires, and an instant is exact', () => {
  assert.equal(parseExpiry('2027-01-31'), Date.parse('2027-02-01T03:00:00Z'));
  assert.equal(parseExpiry('2027-01-31T12:00:00Z'), Date.parse('2027-01-31T12:00:00Z'));
});

test('a length of time has one unit, or is zero', () => {
  assert.deepEqual(
    ['0', '90s', '30m', '24h', '7d'].map(parseDuration),
    [0, 90_000, 1_800_000, 86_400_000, 604_800_000],
  );
});

test('labels accumulate, and the last value of a name applies', () => {
  const labels = ['team=desk', 'env=prod', 'team=', 'team=a=b'].reduce(
    (before, text) => parseLabel(text, before),
    {},
  );
  assert.deepEqual(labels, { team: 'a=b', env: 'prod' });
});

test('an invalid value is refused with a sentence that says what is valid', () => {
  const wrong: readonly (readonly [(text: string) => unknown, readonly string[]])[] = [
    [parseDuration, ['', '24', '1.5h', '-1h', '367d', 'h']],
    [(text) => parseLabel(text), ['team', '=x', 'Team=x', '__proto__=x', 'a=b c', 'a=\u0000']],
    [parseLimit, ['60', '60/m']],
    [parseCount, ['0', '-1', '1e3', '1000000']],
  ];
  for (const [parse, texts] of wrong) {
    for (const text of texts) {
      assert.throws(
        () => parse(text),
        (error) => error instanceof InvalidArgumentError && /^(Valid:|A key)/.test(error.message),
        text,
      );
    }
  }
});
