import assert from 'node:assert/strict';
import { test } from 'node:test';

import { shownAs, withChoice } from './parameter-values.ts';

const text = { isList: false, choices: [] };
const choices = [{ value: 'a', name: 'A' }];

test('closed values are chosen from a list, and dates from a calendar', () => {
  assert.equal(shownAs(text, ''), 'text');
  assert.equal(shownAs({ ...text, isList: true }, ''), 'text');
  assert.equal(shownAs({ ...text, choices }, 'b'), 'select');
  assert.equal(shownAs({ ...text, choices, isList: true }, 'b'), 'checks');
  assert.equal(shownAs({ ...text, format: 'date' }, ''), 'date');
  assert.equal(shownAs({ ...text, format: 'date' }, '2026-02-28'), 'date');
});

test('a date that a calendar would hide is shown as text', () => {
  for (const value of ['2026-02-30', '28/02/2026', '2026', '2026-02-28T00:00'])
    assert.equal(shownAs({ ...text, format: 'date' }, value), 'text', value);
});

test('a choice is added and removed, and the other values are left alone', () => {
  assert.equal(withChoice('', { choice: 'a', isOn: true }), 'a');
  assert.equal(withChoice('x,,a', { choice: 'b', isOn: true }), 'x,a,b');
  assert.equal(withChoice('x,a,b', { choice: 'a', isOn: false }), 'x,b');
});
