import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importSource, isCloseSource, sessionSource, sourceCharsMax } from './close-source.ts';

test('the source of a session names the feed in use, where there is one', () => {
  assert.equal(sessionSource('data912'), 'session:data912');
  assert.equal(sessionSource(undefined), 'session');
});

test('the source of an import is the name of its file, without characters that a terminal interprets', () => {
  assert.equal(importSource('Cotización 2026.csv'), 'import:Cotización 2026.csv');
  assert.equal(
    importSource('a\n\u001b[31m\u2028\u2029\u202e\ud800b.csv'),
    'import:a??[31m????b.csv',
  );
  assert.equal(importSource('x '), 'import:x');
});

test('a long name is cut to the maximum, in whole characters', () => {
  const cut = importSource('🙂'.repeat(300));
  assert.equal(cut, `import:${'🙂'.repeat(sourceCharsMax - 'import:'.length)}`);
  assert.equal(isCloseSource(cut), true);
  assert.equal(sourceCharsMax, 200);
});

test('a source starts with a letter or a digit, and has no character that is not displayed', () => {
  for (const text of ['data912', 'session', 'import:=1+1.csv', '9', 'ñ x']) {
    assert.equal(isCloseSource(text), true, text);
  }
  for (const text of [
    '',
    '=1',
    '-x',
    ' x',
    '@x',
    'x\n',
    'a\u0000',
    'a\u2028',
    'a\u2029',
    '\ud800',
  ]) {
    assert.equal(isCloseSource(text), false, JSON.stringify(text));
  }
});

test('a source may have the maximum of characters and no more', () => {
  assert.equal(isCloseSource('🙂'), false);
  assert.equal(isCloseSource(`x${'🙂'.repeat(sourceCharsMax - 1)}`), true);
  assert.equal(isCloseSource(`x${'🙂'.repeat(sourceCharsMax)}`), false);
});
