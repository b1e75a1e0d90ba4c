/**
 * The documented image, built with `buildah` from a base that the test creates. It runs as configured and
 * documented: as its user, with a file system that is read-only except for /data and /tmp.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryDirectory } from '../support/program/program.ts';
import { makeBareDebian, obstacle } from './bare-debian.ts';
import { project } from '../docs/blocks.ts';
import { blocksOf, run } from './commands.ts';
import { Machine, type Circumstances } from './machine.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';

const tools = ['buildah', 'debootstrap', 'unshare', 'nsenter', 'ip', 'git', 'npm', 'apt-get'];
const missing = obstacle(tools);
const skip = missing === undefined ? false : `not run: ${missing}`;

/** Maximum size of the image as a registry stores it, in bytes. */
const bytesMax = 120_000_000;

interface Image {
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly Env: readonly string[];
      readonly WorkingDir: string;
      readonly Entrypoint: readonly string[];
      readonly Cmd: readonly string[];
      readonly Healthcheck: { readonly Test: readonly string[] };
    };
  };
}

test(
  'the documented image builds, starts read-only as its own user, and is healthy',
  { skip },
  async (t) => {
    const [block = ''] = blocksOf('docs/deploying.md', 'In a container');
    const commands = block.replaceAll('\\\n', ' ').split('\n');
    const build = commands.find((line) => line.startsWith('docker build '));
    const start = commands.find((line) => line.startsWith('docker run '));
    assert.ok(build !== undefined && start !== undefined);
    assert.ok(start.includes('--read-only') && start.includes('--tmpfs /tmp'));

    await using directory = await temporaryDirectory();
    const clone = join(directory.path, 'clone');
    run(['git', 'clone', '--quiet', project, clone]);
    const base = join(directory.path, 'base');
    makeBareDebian(base);
    leaveOutAsSlim(base);
    const places = [
      '--root',
      join(directory.path, 'store'),
      '--runroot',
      join(directory.path, 'run'),
    ];
    const buildah = (...args: readonly string[]): string =>
      run(['buildah', ...places, '--storage-driver', 'vfs', ...args], { cwd: clone }).trim();

    const scratch = buildah('from', 'scratch');
    buildah('add', '--quiet', scratch, base, '/');
    buildah('commit', '--quiet', '--rm', scratch, 'localhost/base');
    const args = build.replace('docker build ', '').split(' ');
    const engine = ['--isolation', 'chroot', '--format', 'docker'];
    buildah('bud', '--quiet', ...engine, '--build-arg', 'BASE=localhost/base', ...args);

    const image = JSON.parse(buildah('inspect', '--type', 'image', 'pizarra')) as Image;
    const { User, Env, WorkingDir, Entrypoint, Cmd, Healthcheck } = image.Docker.config;
    const layout = join(directory.path, 'oci');
    buildah('push', '--quiet', '--compression-format', 'gzip', 'pizarra', `oci:${layout}`);
    const sizes = sizesIn(join(layout, 'blobs')).toSorted((a, b) => b - a);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const shown = sizes.slice(0, 5).map((size) => (size / 1e6).toFixed(1));
    t.diagnostic(
      `${(bytes / 1e6).toFixed(1)} MB compressed; the largest layers: ${shown.join(', ')}`,
    );
    assert.ok(bytes < bytesMax, `${bytes} bytes compressed`);

    const container = buildah('from', 'localhost/pizarra');
    const root = buildah('mount', container);
    await using mounted = new AsyncDisposableStack();
    mounted.defer(() => void buildah('umount', container));
    const users = readFileSync(join(root, 'etc/passwd'), 'utf8');
    const [, , uid = ''] =
      users
        .split('\n')
        .find((line) => line.startsWith(`${User}:`))
        ?.split(':') ?? [];
    assert.equal(uid, '10001');

    const volume = join(directory.path, 'volume');
    mkdirSync(volume);
    run(['chown', '10001:10001', volume]);
    const mounts = [
      'mount --bind "$0" "$0"',
      'mount -t proc proc "$0/proc"',
      'mount -t tmpfs tmpfs "$0/tmp"',
      `mount --bind ${volume} "$0/data"`,
      'mount -o remount,ro,bind "$0"',
    ];
    await using machine = await Machine.start(root, mounts.join(' && '));
    const variables = [...Env, ...Array.from(start.matchAll(/-e (\S+)/g), ([, one = '']) => one)];
    const env = Object.fromEntries(variables.map((one) => one.split(/=(.*)/s).slice(0, 2)));
    const circumstances = { user: User, cwd: WorkingDir, env: { HOME: '/', ...env } };
    const started = [...Entrypoint, ...Cmd].join(' ');
    const service = machine.start(started, circumstances);
    await service.lineWith('"service ready"');
    const [form, ...checked] = Healthcheck.Test;
    assert.equal(form, 'CMD');
    const check = checked.join(' ');
    machine.run(check, circumstances);
    const page = machine.run('head -2 /usr/local/share/man/man1/pizarra.1', circumstances);
    assert.match(page, /^\.TH PIZARRA 1 /m);
    const executed = commands.filter((line) => line.startsWith('docker exec pizarra '));
    assert.equal(executed.length, 2);
    for (const line of executed) {
      machine.run(line.replace('docker exec pizarra ', ''), circumstances);
    }
    assert.notEqual(machine.attempt('touch /opt/pizarra/bin/pizarra', circumstances).status, 0);
    assert.equal((await service.stop()).code, 0);
    assert.notEqual(machine.attempt(check, circumstances).status, 0);
    assertCacheIsUsed(machine, circumstances);
    await assertHealthyWithTls(machine, circumstances, { volume, check, started });
  },
);

/** Removes what the images `slim` of Debian leave out: archives of packages, lists and documents. */
function leaveOutAsSlim(base: string): void {
  const left = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man'];
  for (const name of [...left, 'usr/share/info', 'usr/share/locale', 'var/log']) {
    const folder = join(base, name);
    for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true });
  }
}

/** The sizes of all files in a folder, in bytes. */
function sizesIn(folder: string): readonly number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((file) => file.isFile())
    .map(({ size }) => size);
}

/** The user of the service loads compiled code, which the build of the image has cached. */
function assertCacheIsUsed(machine: Machine, circumstances: Circumstances): void {
  const env = { ...circumstances.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { stderr } = machine.attempt('pizarra --version', { ...circumstances, env });
  assert.match(stderr, /main\.js.* was accepted/);
}

/** With TLS on the public listener, the check of the image succeeds too. */
async function assertHealthyWithTls(
  machine: Machine,
  circumstances: Circumstances,
  { volume, check, started }: Readonly<Record<'volume' | 'check' | 'started', string>>,
): Promise<void> {
  const certificate = makeCertificate();
  assert.ok(certificate !== undefined, 'openssl is not installed');
  for (const [name, text] of Object.entries(certificate)) {
    writeFileSync(join(volume, name), text, { mode: 0o644 });
  }
  const { PIZARRA_BEHIND_PROXY: _, ...env } = circumstances.env ?? {};
  const tls = { PIZARRA_TLS_CERT: '/data/cert', PIZARRA_TLS_KEY: '/data/key' };
  const ofTls = { ...circumstances, env: { ...env, ...tls } };
  const service = machine.start(started, ofTls);
  await service.lineWith('"service ready"');
  // The check of Docker has the variables of the image and of the container, but none of the flags.
  assert.match(machine.run(check, ofTls), /^https:\/\/.* responds\.$/m);
  assert.equal((await service.stop()).code, 0);
}
