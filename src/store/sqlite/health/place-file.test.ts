import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { placeFile } from '../health/backup.ts';

const sideFiles = ['', '-journal', '-wal', '-shm'];

async function fill(unfinished: string): Promise<string> {
  for (const side of sideFiles) await writeFile(unfinished + side, 'written');
  return 'result';
}

const isConflict = (error: unknown): boolean =>
  error instanceof StoreFault && error.code === 'conflict';

test('a file gets its name only when complete, only its owner can access it, and no other file remains', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'backup.sqlite');
  const result = await placeFile(path, async (unfinished) => {
    assert.equal((await stat(unfinished)).mode & 0o777, 0o600);
    assert.deepEqual((await readdir(directory)).includes('backup.sqlite'), false);
    return fill(unfinished);
  });
  assert.equal(result, 'result');
  assert.deepEqual(await readdir(directory), ['backup.sqlite']);
  assert.equal(await readFile(path, 'utf8'), 'written');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('a write that fails leaves no file', async (t) => {
  const directory = await temporaryDirectory(t);
  const failure = new Error('the disk is full');
  const placed = placeFile(join(directory, 'backup.sqlite'), async (unfinished) => {
    await fill(unfinished);
    throw failure;
  });
  await assert.rejects(placed, failure);
  assert.deepEqual(await readdir(directory), []);
});

test('an existing file is not overwritten, also when it appears while the new one is written', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'backup.sqlite');
  await assert.rejects(
    placeFile(path, async (unfinished) => {
      await writeFile(path, 'mine');
      await fill(unfinished);
    }),
    isConflict,
  );
  let isWritten = false;
  await assert.rejects(
    placeFile(path, async () => {
      isWritten = true;
    }),
    isConflict,
  );
  assert.equal(isWritten, false, 'the conflict is reported before the work');
  assert.equal(await readFile(path, 'utf8'), 'mine');
  assert.deepEqual(await readdir(directory), ['backup.sqlite']);
});
