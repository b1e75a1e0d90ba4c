import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Body } from '../content/body.ts';
import { KeptTexts } from './kept-texts.ts';

const kept = new KeptTexts();

function bodyOf(key: string, text: string): Body {
  const content = kept.contentOf(key, text);
  assert.ok(content.ok);
  return content.value.body;
}

test('a text that is the same as before keeps its body and its compressed form, until all are dropped', () => {
  const text = 'x'.repeat(2_000);
  const body = bodyOf('a', text);
  assert.equal(body.pick(['br', 'identity'])?.coding, 'br');
  assert.equal(bodyOf('a', text), body);
  assert.notEqual(bodyOf('a', `${text}y`), body);
  const other = bodyOf('a', text);
  kept.clear();
  assert.notEqual(bodyOf('a', text), other);
});

test('a text that is too long to be kept is not compressed', () => {
  for (const length of [20_000, 200_000]) {
    const body = bodyOf('a', 'x'.repeat(length));
    assert.equal(body.pick(['br', 'identity'])?.coding, 'identity');
    assert.notEqual(bodyOf('a', 'x'.repeat(length)), body);
    assert.equal(body.compressedBytes, 0);
  }
});
