import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../../../test/support/market/close-on.ts';
import type { PlainDate } from '../../calendar/plain-date.ts';
import type { ReferenceCloses } from '../reference-closes.ts';
import type { SetAsideBase } from '../../quotes/set-aside-base.ts';
import { usableReferences, isStillReferenced } from './usable-references.ts';

/** A close of 1,000 that a price of 100 contradicts. */
const mark: SetAsideBase = {
  ...closeOn('2026-11-19', 1_000),
  sessionDate: '2026-11-20' as PlainDate,
  comparable: 1_000,
  price: 100,
  at: 1,
  isConfirmed: false,
};

const previous = closeOn('2026-11-19', 1_000);
const low = { month: closeOn('2026-10-30', 98), year: closeOn('2025-12-30', 70) };
const high = { month: closeOn('2026-10-30', 980), year: closeOn('2025-12-30', 700) };

/** The names of the references that are left. */
function left(references: ReferenceCloses, one: SetAsideBase | undefined = mark): string[] {
  return Object.keys(usableReferences(references, one, 'share'));
}

test('without a mark, or with one that the operator has confirmed, all references are left as they are', () => {
  const references = { previous, monthBase: high.month, yearBase: high.year };
  assert.equal(usableReferences(references, undefined, 'share'), references);
  assert.equal(usableReferences(references, { ...mark, isConfirmed: true }, 'share'), references);
});

test('if the close alone is wrong, the earlier closes on the level of the prices are left', () => {
  assert.deepEqual(left({ previous, monthBase: low.month, yearBase: low.year }), [
    'monthBase',
    'yearBase',
  ]);
});

test('if the earlier closes are on the level of the close, none is left: a split may not be recorded', () => {
  assert.deepEqual(left({ previous, monthBase: high.month, yearBase: high.year }), []);
});

test('if one earlier close is on the level of the close, another on that of the prices is not left either', () => {
  assert.deepEqual(left({ previous, monthBase: high.month, yearBase: low.year }), []);
  assert.deepEqual(left({ previous, monthBase: low.month, yearBase: high.year }), []);
});

test('an earlier close that is far from both levels is not left', () => {
  const far = closeOn('2025-12-30', 10);
  assert.deepEqual(left({ previous, monthBase: low.month, yearBase: far }), ['monthBase']);
});

test('a close that is within the bound of both levels counts as one of the close', () => {
  const between = closeOn('2026-10-30', 300);
  assert.deepEqual(left({ previous, monthBase: between, yearBase: low.year }), []);
});

test('the close itself is left nowhere, and the closes of later days everywhere', () => {
  const itself = { previous, monthBase: previous, yearBase: previous };
  assert.deepEqual(left(itself), []);
  const later = closeOn('2026-11-20', 101);
  assert.deepEqual(left({ previous: later, monthBase: previous, yearBase: high.year }), [
    'previous',
  ]);
});

test('closes are compared on the basis of the session', () => {
  const adjusted = { ...high.month, adjusted: 98 };
  assert.deepEqual(left({ previous, monthBase: adjusted }), ['monthBase']);
});

test('references that stay as they are stay the same object', () => {
  const references = { previous: closeOn('2026-11-20', 101), monthBase: low.month };
  assert.equal(usableReferences(references, mark, 'share'), references);
});

test('a close is referenced as long as a session is compared with its day or an earlier one', () => {
  const later = closeOn('2026-11-20', 101);
  assert.equal(isStillReferenced({ previous }, mark), true);
  assert.equal(isStillReferenced({ previous: later, yearBase: low.year }, mark), true);
  assert.equal(isStillReferenced({ previous: later, monthBase: later }, mark), false);
  assert.equal(isStillReferenced({}, mark), false);
});
