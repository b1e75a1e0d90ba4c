import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeExtensions, filesInFolder } from './sources.ts';

test('a folder that cannot be read is one refused entry, with its path and the reason', async () => {
  const [only, ...others] = await filesInFolder('/no/such/folder', closeExtensions);
  assert.ok(only?.type === 'refused');
  assert.equal(only.name, '/no/such/folder');
  assert.equal(only.refusal.code, 'unreadable');
  assert.match(only.refusal.message, /^cannot be read: no such file or directory$/);
  assert.deepEqual(others, []);
});
