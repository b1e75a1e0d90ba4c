import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { test } from 'node:test';

import { isShown } from './serve.ts';

test('a text is shown by a pipe, unless it leads to the journal, and not by a file or the null device', () => {
  for (const path of [import.meta.filename, devNull]) {
    const descriptor = openSync(path, 'r');
    assert.equal(isShown(descriptor, {}), false, path);
    closeSync(descriptor);
  }
  const { stdout } = spawn(process.execPath, ['--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // oxlint-disable-next-line no-underscore-dangle -- nothing else names the descriptor of a pipe
  const { fd } = (stdout as unknown as { readonly _handle: { readonly fd: number } })._handle;
  assert.equal(isShown(fd, {}), true);
  const { dev, ino } = fstatSync(fd);
  assert.equal(isShown(fd, { JOURNAL_STREAM: `${dev}:${ino}` }), false);
  assert.equal(isShown(fd, { JOURNAL_STREAM: `${dev}:${ino + 1}` }), true);
});
