import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FollowedServices } from './followed-services.ts';

test('the ids of all feeds are listed, each once, until a feed follows nothing', () => {
  const services = new FollowedServices('own');
  assert.deepEqual([services.instance, services.ids], ['own', []]);
  services.note('office', ['a', 'b']);
  services.note('centre', ['b', 'c']);
  assert.deepEqual(services.ids, ['a', 'b', 'c']);
  services.note('office', []);
  assert.deepEqual(services.ids, ['b', 'c']);
});
