import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const project = join(import.meta.dirname, '../..');

interface LockEntry {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockEntry>>;
};
const installed = Object.entries(packages).filter(([path]) => path !== '');
const namesOf = (entries: typeof installed): string[] => entries.map(([path]) => path);

test('every package of package-lock.json is pinned by a hash, for every system', () => {
  assert.ok(installed.length > 200);
  const unpinned = installed.filter(
    ([, { integrity }]) => integrity?.startsWith('sha512-') !== true,
  );
  assert.deepEqual(namesOf(unpinned), []);
});

test('package-lock.json has every package that another one needs, including optional ones', () => {
  const names = new Set(installed.map(([path]) => path.replace(/^.*node_modules\//, '')));
  for (const [path, { dependencies, optionalDependencies }] of Object.entries(packages)) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      assert.ok(names.has(name), `${path} needs ${name}, which the lock file does not pin`);
    }
  }
});

test('npm ci runs no install script of a package, and no package has one', () => {
  assert.match(readFileSync(join(project, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
  const withScripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  assert.deepEqual(namesOf(withScripts), []);
});

test('Node is pinned to one version for all systems, and bin/node and .nvmrc know it', () => {
  const launcher = readFileSync(join(project, 'bin/node'), 'utf8');
  const { optionalDependencies = {} } = packages[''] ?? assert.fail();
  const [version = '', ...others] = new Set(Object.values(optionalDependencies));
  assert.deepEqual(others, []);
  assert.equal(readFileSync(join(project, '.nvmrc'), 'utf8'), `${version}\n`);
  for (const name of Object.keys(optionalDependencies)) {
    assert.match(name, /^node-/);
    assert.ok(launcher.includes(`$packages/${name}"`), name);
  }
});
