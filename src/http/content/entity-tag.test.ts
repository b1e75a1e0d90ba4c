import assert from 'node:assert/strict';
import { test } from 'node:test';

import { contentTag, entityTag, isAny, isListed } from './body.ts';

test('a tag depends on the bytes alone, however they are cut and whether they are text or buffers', () => {
  const tag = contentTag(['a\u00e9b']);
  assert.equal(contentTag([Buffer.from('a\u00e9b', 'latin1')]), tag);
  assert.equal(contentTag(['a', Buffer.from([0xe9]), 'b']), tag);
  assert.notEqual(contentTag(['aeb']), tag);
  assert.notEqual(contentTag(['b\u00e9a']), tag);
});

test('a tag has 22 characters that need no escape in a header', () => {
  for (const text of ['', 'x', 'y'.repeat(10_000)]) {
    assert.match(contentTag([text]), /^[A-Za-z0-9_-]{22}$/);
  }
});

test('RFC 9110 8.8.3.3: each content encoding has a strong tag of its own', () => {
  assert.equal(entityTag('abc', 'identity'), '"abc"');
  assert.equal(entityTag('abc', 'gzip'), '"abc-gzip"');
  assert.equal(entityTag('abc', 'br'), '"abc-br"');
});

test('RFC 9110 13.1.2: If-None-Match names a tag alone, in a list, or as weak, and never a part of it', () => {
  for (const header of ['"abc"', 'W/"abc"', '"x", "abc"', '"x",W/"abc" , "y"']) {
    assert.equal(isListed(header, '"abc"'), true, header);
  }
  for (const header of ['', 'abc', '"ab"', '"abcd"', '"x", "y"', '*']) {
    assert.equal(isListed(header, '"abc"'), false, header);
  }
});

test('RFC 9110 13.1.2: a lone asterisk means any representation', () => {
  assert.equal(isAny('*'), true);
  assert.equal(isAny(' * '), true);
  assert.equal(isAny('"*"'), false);
  assert.equal(isAny('*, "x"'), false);
});
