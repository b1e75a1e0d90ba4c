import assert from 'node:assert/strict';
import { test } from 'node:test';

import { remembered, rememberedWith } from './remembered.ts';

test('a result is computed once, also if it is undefined, until as many as the maximum are remembered', () => {
  const computed: string[] = [];
  const length = remembered(2, (key: string) => {
    computed.push(key);
    return key === '' ? undefined : key.length;
  });
  assert.deepEqual(['', 'aa', '', 'aa'].map(length), [undefined, 2, undefined, 2]);
  assert.deepEqual(computed, ['', 'aa']);
  assert.equal(length('bbb'), 3);
  assert.deepEqual(['bbb', '', 'bbb'].map(length), [3, undefined, 3]);
  assert.deepEqual(computed, ['', 'aa', 'bbb', '']);
});

test('the result for an object is computed once', () => {
  let count = 0;
  const text = rememberedWith(({ name }: { readonly name: string }) => `${name} ${(count += 1)}`);
  const [a, b] = [{ name: 'a' }, { name: 'a' }];
  assert.deepEqual([a, b, a, b].map(text), ['a 1', 'a 2', 'a 1', 'a 2']);
});
