import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/support/program/program.ts';
import { readTexts, withCopy, writeTexts } from './pull-universe.ts';

const texts = { markets: 'm\n', panels: 'p\n', instruments: 'i\n', derived: 'd\n' };

test('a new and an empty directory are written whole; other files of a directory stay', async () => {
  await using scratch = await temporaryDirectory();
  const directory = join(scratch.path, 'a', 'b');
  assert.deepEqual(await readTexts(directory), {});
  await writeTexts(directory, texts);
  assert.deepEqual(await readTexts(directory), texts);
  assert.deepEqual(await readdir(join(scratch.path, 'a')), ['b']);

  const empty = join(scratch.path, 'empty');
  await mkdir(empty);
  await chmod(empty, 0o750);
  await symlink(empty, join(scratch.path, 'link'));
  await writeTexts(join(scratch.path, 'link'), texts);
  assert.deepEqual(await readTexts(empty), texts);
  assert.equal((await stat(empty)).mode & 0o777, 0o750);
  assert.ok((await lstat(join(scratch.path, 'link'))).isSymbolicLink());

  await writeFile(join(empty, 'notes.txt'), 'mine');
  await writeTexts(empty, { markets: 'new\n', bonds: 'b\n' });
  assert.deepEqual(await readTexts(empty), { ...texts, markets: 'new\n', bonds: 'b\n' });
  assert.deepEqual((await readdir(empty)).length, 6, 'no temporary file is left');
});

test('a file is replaced as a whole, with its mode, and at the end of its link', async () => {
  await using scratch = await temporaryDirectory();
  const [directory, real] = [join(scratch.path, 'u'), join(scratch.path, 'real.csv')];
  await mkdir(directory);
  await writeFile(real, '\uFEFFold\r\n');
  await chmod(real, 0o600);
  await symlink(real, join(directory, 'instruments.csv'));
  assert.deepEqual(await readTexts(directory), { instruments: '\uFEFFold\r\n' });
  const { ino } = await stat(real);
  await writeTexts(directory, { instruments: 'new\n' });
  assert.equal(await readFile(real, 'utf8'), 'new\n');
  const now = await stat(real);
  assert.equal(now.mode & 0o777, 0o600);
  assert.notEqual(now.ino, ino, 'a reader of the old file still has all of it');
  assert.deepEqual(await readdir(scratch.path), ['real.csv', 'u']);
});

test('a file in the place of the directory, and one that is not UTF-8, are faults that name it', async () => {
  await using scratch = await temporaryDirectory();
  const file = join(scratch.path, 'file');
  await writeFile(file, '');
  await assert.rejects(readTexts(file), /file cannot be read: ENOTDIR/);
  await assert.rejects(writeTexts(file, texts), /file cannot be written: ENOTDIR.*Run the command/);
  await writeFile(join(scratch.path, 'panels.yaml'), Buffer.from([0x61, 0xff]));
  await assert.rejects(readTexts(scratch.path), { name: 'OperatorFault', message: /utf-8/ });
});

test('a copy has the files for as long as it is used, also after a fault', async () => {
  let path = '';
  await assert.rejects(
    withCopy({ markets: 'm', bonds: 'b' }, async (copy) => {
      path = copy;
      assert.deepEqual(await readTexts(copy), { markets: 'm', bonds: 'b' });
      throw new Error('fault');
    }),
    /fault/,
  );
  await assert.rejects(stat(path), { code: 'ENOENT' });
});
