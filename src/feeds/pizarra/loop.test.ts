import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from './ask-origin.ts';

const refused = (message: RegExp) => ({ name: 'FeedFault', code: 'refused', message });

test('the chain of an origin is the origin and what it follows; what is no id is left out', () => {
  assert.deepEqual(chainOf('me', { instance: 'a', origins: undefined }), ['a']);
  assert.deepEqual(chainOf('me', { instance: 'a', origins: '' }), ['a']);
  assert.deepEqual(chainOf('me', { instance: 'a', origins: 'b c-_1' }), ['a', 'b', 'c-_1']);
  const odd = `b <script> ${'x'.repeat(65)} c`;
  assert.deepEqual(chainOf('me', { instance: 'a', origins: odd }), ['a', 'b', 'c']);
  const many = Array.from({ length: 1_000 }, (_, at) => `s${at}`).join(' ');
  assert.equal(chainOf('me', { instance: 'a', origins: many }).length, 65);
});

test('a service that follows itself is refused, and says that the URL is its own', () => {
  const itself = { instance: 'me', origins: '' };
  assert.throws(() => chainOf('me', itself), refused(/is this service itself: correct url/));
});

test('a loop is refused, wherever in it this service is', () => {
  for (const origins of ['me', 'b me', 'me b']) {
    const message = /follows this service, directly or through others: a loop/;
    assert.throws(() => chainOf('me', { instance: 'a', origins }), refused(message));
  }
});
