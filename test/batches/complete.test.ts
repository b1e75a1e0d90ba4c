import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { temporaryDirectory } from '../support/program/program.ts';
import { long, longFiles, usualFiles } from './import-tests.ts';

const project = join(import.meta.dirname, '../..');

function isLeftOut(name: string): boolean {
  return /(^|\/)(node_modules|\.[^/]+)$/.test(name);
}

/** The matching files, without those of installed packages. */
async function filesOf(...patterns: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await Array.fromAsync(glob(patterns, { cwd: project, exclude: isLeftOut })));
}

/** The commands that share the test files among them. All but the first need programs that `npm ci` does not install. */
const commands = ['test:all', 'test:web', 'test:database', 'test:recipes'];

const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The test files that commands run, those of their batches included. */
async function filesRunBy(names: readonly string[]): Promise<readonly string[]> {
  // `npm run test:all` gives `npm test` further batches.
  const lines = names.flatMap((name) => [
    scripts[name] ?? '',
    ...(name === 'test:all' ? [scripts['test'] ?? ''] : []),
  ]);
  const quoted = lines.flatMap((line) => [...line.matchAll(/"([^"]+\.test\.ts)"/g)]);
  const files = [...(await filesOf(...quoted.map(([, pattern = '']) => pattern)))];
  const batches = files.filter((file) => file.startsWith('test/batches/'));
  assert.ok(batches.length > 1, batches.join());
  for (const batch of batches) {
    const text = await readFile(join(project, batch), 'utf8');
    const [, kind, list = ''] = /import(Long)?Tests\(\[([^\]]+)\]\)/.exec(text) ?? [];
    const patterns = [...list.matchAll(/'([^']+)'/g)].map(([, pattern = '']) => pattern);
    files.push(...(await (kind === undefined ? usualFiles(patterns) : longFiles(patterns))));
  }
  return files;
}

test('npm run test:all, test:web, test:database and test:recipes run every test file exactly once', async () => {
  const every = await filesOf('{src,test,web}/**/*.test.ts');
  assert.deepEqual((await filesRunBy(commands)).toSorted(), [...every].toSorted());
});

test('npm test has the units, the contract, the conformance, a start and the kills, and no documents or benchmarks', async () => {
  const usual = await filesRunBy(['test']);
  for (const folder of [
    'src/engine/',
    'src/http/',
    'test/contract/',
    'test/conformance/',
    'test/e2e/',
    'test/faults/',
  ]) {
    assert.ok(
      usual.some((file) => file.startsWith(folder)),
      folder,
    );
  }
  for (const file of ['test/docs/documents.test.ts', 'test/bench/programs.test.ts']) {
    assert.ok(!usual.includes(file), file);
  }
});

test('each pattern of the files that npm test leaves out matches a file', async () => {
  for (const pattern of long) assert.ok((await filesOf(pattern)).size > 0, pattern);
});

test('a file that throws while it is imported fails its batch with the error, and the other files run', async () => {
  await using directory = await temporaryDirectory();
  const names = ['a-runs', 'b-throws', 'c-runs'];
  for (const name of names) {
    const text =
      name === 'b-throws'
        ? "throw new Error('no such program');"
        : `import { test } from 'node:test'; test('${name}', () => undefined);`;
    await writeFile(join(directory.path, `${name}.test.mjs`), text);
  }
  const pattern = relative(project, join(directory.path, '*.test.mjs'));
  const importer = pathToFileURL(join(import.meta.dirname, 'import-tests.ts')).href;
  const script = `import { importTests } from '${importer}'; await importTests(['${pattern}']);`;
  const batch = join(directory.path, 'batch.mjs');
  await writeFile(batch, script);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', batch], {
    encoding: 'utf8',
    env,
  });
  assert.equal(status, 1);
  assert.match(stdout, /^ok \d - a-runs$/m);
  assert.match(stdout, /^not ok \d - .*b-throws\.test\.mjs is imported$/m);
  assert.match(stdout, /no such program/);
  assert.match(stdout, /^ok \d - c-runs$/m);
});
