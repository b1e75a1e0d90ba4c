import assert from 'node:assert/strict';
import { test } from 'node:test';

import { update } from '../../test/support/market/drive-engine.ts';
import type { InstrumentKind } from '../domain/instruments/instrument.ts';
import type { Update } from '../domain/quotes/update.ts';
import { withinBound } from './judge-update.ts';

type Fields = Omit<Update, 'ticker' | 'at'>;
type Session = Parameters<typeof withinBound>[2];

/** The fields of an update that are left out. */
function leftOutOf(
  fields: Fields,
  { kind = 'bond', session }: { readonly kind?: InstrumentKind; readonly session?: Session } = {},
): readonly string[] {
  const one = update('AL30', 0, fields);
  const kept = withinBound(kind, one, session, fields.last);
  const leftOut = Object.keys(fields).filter((field) => !(field in kept));
  assert.equal(kept === one, leftOut.length === 0, 'the same object if nothing is left out');
  return leftOut;
}

test('prices beyond the bound from the price of the update are left out, and those at the bound are not', () => {
  assert.deepEqual(leftOutOf({ last: 100, open: 99, high: 102, low: 98 }), []);
  for (const field of ['open', 'high', 'previousClose', 'close'] as const) {
    assert.deepEqual(leftOutOf({ last: 100, [field]: 400 }), []);
    assert.deepEqual(leftOutOf({ last: 100, [field]: 401 }), [field]);
  }
  for (const field of ['open', 'low', 'previousClose', 'close'] as const) {
    assert.deepEqual(leftOutOf({ last: 100, [field]: 25 }), []);
    assert.deepEqual(leftOutOf({ last: 100, [field]: 24 }), [field]);
  }
});

test('the previous close has the bound between sessions, and the others that within one', () => {
  const fields = { last: 100, previousClose: 1_000, high: 1_000 };
  assert.deepEqual(leftOutOf(fields, { kind: 'crypto' }), ['high']);
  assert.deepEqual(leftOutOf({ ...fields, previousClose: 5_001 }, { kind: 'crypto' }), [
    'previousClose',
    'high',
  ]);
});

test('a price near any price of the session is kept, and without any price nothing is left out', () => {
  const session = { last: 500, high: 505, low: 100 };
  assert.deepEqual(leftOutOf({ last: 502, open: 101 }, { session }), []);
  assert.deepEqual(leftOutOf({ last: 502, open: 24 }, { session }), ['open']);
  assert.deepEqual(leftOutOf({ high: 510, low: 24 }, { session }), ['low']);
  assert.deepEqual(leftOutOf({ high: 1, low: 900 }), []);
});

test('what contradicts its own update by more than 10 % is left out, and nothing else for that reason', () => {
  for (const [fields, leftOut] of [
    [{ last: 100, high: 91 }, []],
    [{ last: 100, high: 90 }, ['high']],
    [{ last: 0.6, high: 0.5 }, ['high']],
    [{ last: 100, low: 110 }, []],
    [{ last: 100, low: 111 }, ['low']],
    [{ last: 100, open: 130, high: 110 }, ['open']],
    [{ last: 100, open: 70, low: 90 }, ['open']],
    [{ last: 100, open: 95, high: 50 }, ['high']],
    [{ last: 100, open: 105, low: 200 }, ['low']],
    [{ last: 100, low: 0, high: 0 }, []],
    [{ last: 100, low: -5 }, []],
  ] as const satisfies readonly (readonly [Fields, readonly string[]])[]) {
    assert.deepEqual(leftOutOf(fields), leftOut, JSON.stringify(fields));
  }
  assert.deepEqual(leftOutOf({ last: 5, high: 1, low: 9 }, { kind: 'spread' }), []);
});
