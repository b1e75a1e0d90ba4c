/** The links of the documents as they are packed: of the service, and of its clients. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { withoutDeadLinks } from '../../scripts/package/documents.ts';
import { pack } from '../../scripts/package/pack.ts';
import { stageFiles } from '../../scripts/package/stage.ts';
import { packPerl, packPython } from '../../scripts/release/pack-clients.ts';
import { project } from '../docs/blocks.ts';
import { attempt, run } from '../install/commands.ts';
import { linksOfDocument, linksOfFolder } from '../support/project/dead-links.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { findPython } from '../support/program/python.ts';

test('every link of the packed documents of the service leads to a file of the package and a heading in it', async () => {
  await using directory = await temporaryDirectory();
  const stage = join(directory.path, 'package');
  await stageFiles(project, stage);
  const { count, dead } = linksOfFolder(stage);
  assert.deepEqual(dead, []);
  assert.ok(count > 100, `${count} links`);
  const readme = readFileSync(join(stage, 'README.md'), 'utf8');
  assert.match(readme, /\(docs\/decisions\/\)/);
  assert.match(readme, /contribute \(in the repository\)/);
});

test('a link to a file that the package lacks becomes its text, and fenced blocks stay as they are', () => {
  const text = [
    'See [the reason](decisions/1.md#why), [a page](https://a.test/b), [above](#top) and [`code`](../src/a.ts).',
    '![The board](images/a.webp)',
    '```md',
    '[x](missing.md)',
    '```',
    '[x](missing.md)',
  ].join('\n');
  assert.deepEqual(withoutDeadLinks(text, (target) => target === 'decisions/1.md').split('\n'), [
    'See [the reason](decisions/1.md#why), [a page](https://a.test/b), [above](#top) and `code` (in the repository).',
    '(picture in the repository: The board)',
    '```md',
    '[x](missing.md)',
    '```',
    'x (in the repository)',
  ]);
});

test('every link of the packed TypeScript client leads to a file of the package', async () => {
  await using directory = await temporaryDirectory();
  const archive = pack(join(project, 'clients/typescript'), directory.path);
  run(['tar', '-xzf', archive, '-C', directory.path]);
  assert.deepEqual(linksOfFolder(join(directory.path, 'package')).dead, []);
});

const found = findPython();

test(
  'every link of the packed Python client leads to a file of the package',
  { skip: 'skip' in found && found.skip },
  async () => {
    await using directory = await temporaryDirectory();
    const [source = '', wheel = ''] = packPython(join(project, 'clients/python'), directory.path);
    run(['tar', '-xzf', source, '-C', directory.path]);
    const folder = readdirSync(directory.path).find((name) => !/\.(?:gz|whl)$/.test(name)) ?? '';
    const unpacked = join(directory.path, folder);
    assert.deepEqual(linksOfFolder(unpacked).dead, []);
    // The package index shows the description in the metadata, which is beside no file.
    const information = readFileSync(join(unpacked, 'PKG-INFO'), 'utf8');
    assert.deepEqual(linksOfDocument(information, join(unpacked, 'none'), 'PKG-INFO').dead, []);
    const inWheel = join(directory.path, 'wheel');
    mkdirSync(inWheel);
    run(['python3', '-m', 'zipfile', '-e', wheel, inWheel]);
    const info = readdirSync(inWheel).find((name) => name.endsWith('.dist-info')) ?? '';
    const metadata = readFileSync(join(inWheel, info, 'METADATA'), 'utf8');
    assert.match(metadata, /^# pizarra_client$/m);
    assert.deepEqual(linksOfDocument(metadata, inWheel, 'METADATA').dead, []);
  },
);

const hasPerl = ['perl -MExtUtils::MakeMaker -e 1', 'make --version'].every(
  (command) => attempt(['sh', '-c', command]).status === 0,
);

test(
  'every link of the packed Perl module leads to a file of the archive, which is named as a pre-release',
  { skip: hasPerl ? false : 'perl or make is not installed' },
  async () => {
    await using directory = await temporaryDirectory();
    const packing = { version: '7.8.9-rc.1', folder: directory.path };
    const archive = packPerl(join(project, 'clients/perl'), packing);
    assert.match(archive, /\/Finance-Quote-Pizarra-7\.8\.9-TRIAL\.tar\.gz$/);
    run(['tar', '-xzf', archive, '-C', directory.path]);
    const unpacked = archive.replace('.tar.gz', '');
    assert.deepEqual(linksOfFolder(unpacked).dead, []);
    const names = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
    assert.ok(names.includes('lib/Finance/Quote/Pizarra.pm') && names.includes('META.json'));
  },
);

test('the check of links notices a missing file, a missing heading, and a link that leaves the package', async () => {
  await using directory = await temporaryDirectory();
  writeFileSync(join(directory.path, 'b.md'), '# One heading\n');
  const text =
    '[a](b.md) [b](b.md#one-heading) [c](b.md#other) [d](c.md) [e](../b.md) [f](#here)\n\n## Here\n';
  writeFileSync(join(directory.path, 'a.md'), text);
  const { count, dead } = linksOfFolder(directory.path);
  assert.equal(count, 6);
  assert.deepEqual(dead, ['a.md: b.md#other', 'a.md: c.md', 'a.md: ../b.md']);
});
