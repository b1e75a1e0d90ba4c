import assert from 'node:assert/strict';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/support/program/program.ts';
import { makeDirectory } from './make-directory.ts';

test('all missing directories are created with the mode, and the first one is returned', async () => {
  await using scratch = await temporaryDirectory();
  const path = join(scratch.path, 'a', 'b', 'c');
  assert.equal(makeDirectory(path, 0o700), join(scratch.path, 'a'));
  for (const one of ['a', 'a/b', 'a/b/c']) {
    assert.equal(statSync(join(scratch.path, one)).mode & 0o777, 0o700, one);
  }
  assert.equal(makeDirectory(path, 0o700), undefined);
});

test('a file and a broken link in the way are errors', async () => {
  await using scratch = await temporaryDirectory();
  const file = join(scratch.path, 'file');
  writeFileSync(file, '');
  symlinkSync(join(scratch.path, 'nowhere'), join(scratch.path, 'link'));
  assert.throws(() => makeDirectory(file, 0o700), { code: 'ENOTDIR' });
  assert.throws(() => makeDirectory(join(file, 'below'), 0o700), { code: 'ENOTDIR' });
  assert.throws(() => makeDirectory(join(scratch.path, 'link'), 0o700), { code: 'EEXIST' });
});

test('a file system that refuses new names with ENOENT is an error and no endless loop', (t) => {
  if (!existsSync('/proc/self')) return t.skip('needs /proc');
  assert.throws(() => makeDirectory('/proc/pizarra/data', 0o700), { code: 'ENOENT' });
});
