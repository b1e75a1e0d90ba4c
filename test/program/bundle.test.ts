import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

import { bundleWhenStale } from '../../scripts/program/bundle.ts';
import { temporaryDirectory } from '../support/program/program.ts';

/** What bin/pizarra needs of a project. */
const parts = ['bin', 'scripts/program/bundle.ts', 'scripts/program/is-current.ts'];

/** A small project with the launcher of this one, whose program prints its text and where it runs from. */
async function smallProject() {
  const directory = await temporaryDirectory();
  const project = join(directory.path, 'project');
  for (const name of parts) {
    cpSync(resolve(import.meta.dirname, '../..', name), join(project, name), { recursive: true });
  }
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  };
  write('node_modules/.package-lock.json', '{}');
  write(
    'src/cli/main.ts',
    "import { text } from './text.ts';\nconsole.log(process.argv[1], text);\n",
  );
  write('src/cli/text.ts', "export const text: string = 'año →';\n");
  const output = join(project, 'build/program');
  return {
    project,
    output,
    write,
    bundle: () => bundleWhenStale(project, output),
    run: (at = project) => {
      const { stdout, stderr } = spawnSync(process.execPath, [join(at, 'bin/pizarra.js')], {
        encoding: 'utf8',
      });
      assert.equal(stderr, '');
      return stdout.replace(at, '').trim();
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

const fromBundle = '/build/program/dist/cli/main.js año →';
const fromSources = '/src/cli/main.ts año →';

test('bin/pizarra starts the bundle, and the sources from the moment one of them changes', async () => {
  await using small = await smallProject();
  assert.equal(small.run(), fromSources);
  assert.equal(await small.bundle(), 'built');
  assert.equal(small.run(), fromBundle);
  assert.equal(await small.bundle(), 'fresh');
  small.write('src/cli/text.ts', "export const text: string = 'mes →';\n");
  assert.equal(small.run(), '/src/cli/main.ts mes →');
  assert.equal(await small.bundle(), 'built');
  assert.equal(small.run(), '/build/program/dist/cli/main.js mes →');
});

test('a bundle is stale after packages were installed, and when a source is missing', async () => {
  await using small = await smallProject();
  await small.bundle();
  utimesSync(join(small.project, 'node_modules/.package-lock.json'), 1, 1);
  assert.equal(small.run(), fromSources);
  await small.bundle();
  assert.equal(small.run(), fromBundle);
  rmSync(join(small.project, 'node_modules/.package-lock.json'));
  assert.equal(small.run(), fromSources);
});

test('a project that was moved runs its sources, because the bundle names the old folder', async () => {
  await using small = await smallProject();
  await small.bundle();
  const moved = `${small.project}-moved`;
  renameSync(small.project, moved);
  assert.equal(small.run(moved), fromSources);
});

test('a bundle that was not written completely is not started', async () => {
  await using small = await smallProject();
  await small.bundle();
  writeFileSync(join(small.output, 'origin.json'), '{"project":');
  assert.equal(small.run(), fromSources);
});

test('the modules of the bundle before stay for a service that still runs, older ones do not', async () => {
  await using small = await smallProject();
  small.write('src/cli/main.ts', "await import('./text.ts');\n");
  const chunks = (): readonly string[] =>
    readdirSync(join(small.output, 'dist/chunks')).filter((name) => name.startsWith('text'));
  const seen: string[] = [];
  for (const word of ['uno', 'dos', 'tres']) {
    small.write('src/cli/text.ts', `console.log('${word}');\n`);
    assert.equal(await small.bundle(), 'built');
    seen.push(...chunks().filter((name) => !seen.includes(name)));
  }
  assert.equal(seen.length, 3);
  assert.deepEqual(chunks().toSorted(), seen.slice(1).toSorted());
});
