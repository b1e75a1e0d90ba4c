import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig } from '../support/import-into.ts';

const run = promisify(execFile);
const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'ALUA' }]);
const close = 'Date,Close\n2026-11-16,1.5\n';

/** The outcomes of the files in a folder, by their relative paths. */
async function outcomesIn(rig: ImportRig, source: string): Promise<readonly string[]> {
  const { summary } = await rig.import([source], { universe });
  return summary.files.map(({ file, outcome }) => `${outcome} ${file.slice(source.length)}`);
}

test('links in a folder are not followed outside it or in a cycle, and each one is reported', async () => {
  await using rig = await ImportRig.open();
  await rig.file('folder/a/GGAL.csv', close);
  await rig.file('outside/ALUA.csv', close);
  await rig.file('outside/notes.md', '');
  const folder = join(rig.directory, 'files/folder');
  await symlink('..', join(folder, 'a/circle'));
  await symlink('a', join(folder, 'again'));
  await symlink('nowhere', join(folder, 'broken.csv'));
  await symlink('../outside/ALUA.csv', join(folder, 'file.csv'));
  await symlink('itself', join(folder, 'itself'));
  await symlink('../outside/notes.md', join(folder, 'notes.md'));
  await symlink('../outside', join(folder, 'out'));
  assert.deepEqual(await outcomesIn(rig, folder), [
    'imported /a/GGAL.csv',
    'skipped /a/circle',
    'skipped /again',
    'skipped /broken.csv',
    'skipped /file.csv',
    'skipped /out',
  ]);
  const { summary } = await rig.import([folder], { universe });
  const link = 'it is a symbolic link; to import its target, pass the link as a source';
  for (const file of summary.files.slice(1)) {
    assert.equal(file.outcome === 'skipped' && file.reason, link);
  }
  assert.equal((await rig.closes('ALUA')).size, 0);
});

test('a link that is named on the command line is followed, to a folder and to a file', async () => {
  await using rig = await ImportRig.open();
  await rig.file('real/GGAL.csv', close);
  const links = join(rig.directory, 'links');
  await mkdir(links);
  await symlink('../files/real', join(links, 'folder'));
  await symlink('../files/real/GGAL.csv', join(links, 'GGAL.csv'));
  assert.deepEqual(await outcomesIn(rig, join(links, 'folder')), ['imported /GGAL.csv']);
  assert.deepEqual(await outcomesIn(rig, join(links, 'GGAL.csv')), ['imported ']);
});

test('a pipe, a socket and a device are not opened, in a folder or by name', async () => {
  await using rig = await ImportRig.open();
  const csv = await rig.file('folder/GGAL.csv', close);
  const folder = join(csv, '..');
  const pipe = join(folder, 'pipe.csv');
  await run('mkfifo', [pipe]);
  const server = createServer();
  await new Promise<void>((done) => void server.listen(join(folder, 'socket.csv'), done));
  const { summary: all } = await rig.import([folder], { universe });
  const reasons = all.files.map((file) => (file.outcome === 'skipped' ? file.reason : ''));
  assert.deepEqual(
    new Set(reasons),
    new Set(['', 'it is a pipe, a socket or a device, not a file']),
  );
  assert.deepEqual(await outcomesIn(rig, folder), [
    'imported /GGAL.csv',
    'skipped /pipe.csv',
    'skipped /socket.csv',
  ]);
  for (const path of [pipe, join(folder, 'socket.csv'), '/dev/zero']) {
    const { summary } = await rig.import([path], { universe });
    const [file] = summary.files;
    assert.ok(file?.outcome === 'refused');
    assert.match(file.reason, /^it is a pipe, .*"import -"/);
  }
  await new Promise((done) => void server.close(done));
});

test('a folder that cannot be read is refused, and the others are imported', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root can read every folder');
  await using rig = await ImportRig.open();
  const csv = await rig.file('folder/b/GGAL.csv', close);
  const folder = join(csv, '../..');
  await mkdir(join(folder, 'a'), { mode: 0o000 });
  assert.deepEqual(await outcomesIn(rig, folder), ['refused /a', 'imported /b/GGAL.csv']);
});
