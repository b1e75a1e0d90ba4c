import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { writeObstacle } from './write-obstacle.ts';

test('nothing prevents a file, a directory and a path that does not exist yet from being written', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-test-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'file');
  writeFileSync(file, '');
  for (const path of [directory, file, join(directory, 'new', 'file')]) {
    assert.equal(writeObstacle(path), undefined, path);
  }
});

test('a path below a file and one without the rights have the reason of the operating system', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-test-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'file');
  writeFileSync(file, '');
  assert.deepEqual(writeObstacle(join(file, 'below')), {
    code: 'ENOTDIR',
    reason: 'not a directory',
  });
  const closed = join(directory, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  // Root may write everywhere.
  if (process.getuid?.() === 0) return;
  assert.deepEqual(writeObstacle(join(closed, 'new')), {
    code: 'EACCES',
    reason: 'permission denied',
  });
});
