import assert from 'node:assert/strict';
import { test } from 'node:test';

import { canBeKey, keyInFragment } from './key-form.ts';

test('the fragment of a printed link contains its key', () => {
  assert.equal(keyInFragment('#key=pz_0123abc'), 'pz_0123abc');
  assert.equal(keyInFragment('#key=pz_0123abc%20'), 'pz_0123abc ');
  assert.equal(keyInFragment('#key='), '');
  assert.equal(keyInFragment('#key=%E0%A4'), '%E0%A4');
});

test('the fragment of a page contains no key', () => {
  for (const hash of ['', '#', '#/', '#/panel/LID', '#/especie/key=pz_1', '#keys=pz_1']) {
    assert.equal(keyInFragment(hash), undefined, hash);
  }
});

test('a text that cannot be sent in a header is not a key', () => {
  assert.ok(canBeKey('pz_0123abc'));
  for (const text of ['', 'pz_ñandú', 'pz_a b', 'pz_a\n', '«pz_a»']) {
    assert.ok(!canBeKey(text), JSON.stringify(text));
  }
});
