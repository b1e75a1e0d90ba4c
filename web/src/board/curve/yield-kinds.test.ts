import assert from 'node:assert/strict';
import { test } from 'node:test';

import { familyCodes, yieldKinds } from './families.ts';
import { chosenKind, hiddenFor, kindChoices } from './yield-kinds.ts';

test('each choice hides the families whose yields are in something else', () => {
  for (const { value } of kindChoices) assert.equal(chosenKind(hiddenFor(value)), value);
  assert.ok(hiddenFor('real').has('dolar-ny') && !hiddenFor('real').has('cer'));
  assert.equal(chosenKind(new Set(['cer'])), undefined);
});

test('every family but the last one has a kind of yield', () => {
  assert.deepEqual(Object.values(yieldKinds).flat(), familyCodes.slice(0, -1));
});
