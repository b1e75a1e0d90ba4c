import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { countOpenFiles } from './open-files.ts';

test('the open files are those that the system lists, without the one through which they are listed', () => {
  const before = countOpenFiles() ?? assert.fail();
  assert.equal(before, readdirSync('/proc/self/fd').length - 1);
  const opened = [1, 2, 3].map(() => openSync(import.meta.filename, 'r'));
  assert.equal(countOpenFiles(), before + opened.length);
  for (const file of opened) closeSync(file);
  assert.equal(countOpenFiles(), before);
});
