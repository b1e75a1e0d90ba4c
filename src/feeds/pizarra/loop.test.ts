import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from './loop.ts';

const refused = (message: RegExp) => ({ name: 'FeedFault', code: 'refused', message });

test('the chain of an origin is the origin and what it follows; what is no id is left out', () => {
  assert.deepEqual(chainOf('me', { instance: 'a', origins: undefined }), ['a']);
  assert.deepEqual(chainOf('me', { instance: 'a', origins: '' }), ['a']);
  assert.deepEqual(chainOf('me', { instance: 'a', origins: 'b c-_1' }), ['a', 'b', 'c-_1']);
  const odd = `b <script> ${'x'.repeat(65)} c`;
  assert.deepEqual(chainOf('me', { instance: 'a', origins: odd }), ['a', 'b', 'c']);
});

test('a service that follows itself is refused, and says that the URL is its own', () => {
  const itself = { instance: 'me', origins: '' };
  assert.throws(() => chainOf('me', itself), refused(/is this service itself: correct url/));
});

test('a loop is refused, and says how long it is', () => {
  const two = { instance: 'a', origins: 'me' };
  assert.throws(() => chainOf('me', two), refused(/follows this service directly: a loop/));
  const three = { instance: 'a', origins: 'b me' };
  assert.throws(
    () => chainOf('me', three),
    refused(/follows this service through 1 others: a loop/),
  );
});
