/**
 * The documented installation on a bare Debian: root installs the program, and the user of the service runs
 * it. The commands are those of the documents. systemd cannot run here, so `readUnit` replaces it.
 */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';

import { temporaryDirectory } from '../support/program/program.ts';
import { makeBareDebian, obstacle } from './bare-debian.ts';
import { project } from '../docs/blocks.ts';
import { blocksOf, buildPackage, run } from './commands.ts';
import { inRoot, Machine } from './machine.ts';
import { readUnit } from './unit.ts';

const document = 'docs/deploying.md';
const tools = ['debootstrap', 'unshare', 'nsenter', 'ip', 'git', 'npm', 'apt-get'];
const missing = obstacle(tools);
const skip = missing === undefined ? false : `not run: ${missing}`;

const [packages = ''] = blocksOf(document, 'What a machine needs');
const [install = '', doctor = '', firstKey = ''] = blocksOf(document, 'On a machine with systemd');
const [clone = ''] = blocksOf(document, 'From a clone');
/** The place of the archive in the commands of the document, and on the machine. */
const archiveShown = './pizarra-VERSION.tgz';
const archiveAt = '/srv/pizarra.tgz';
/** The folder of the installed program. */
const program = '/opt/pizarra/lib/node_modules/pizarra';
/** Whether systemd executes a line. */
const isForSystemd = (line: string): boolean => line.startsWith('systemctl ');
const lines = install.split('\n').filter((line) => line !== '');
const installLines = lines
  .filter((line) => !isForSystemd(line))
  .map((line) => line.replace(archiveShown, archiveAt));

describe('the documented installation on a bare Debian', { skip, concurrency: 1 }, () => {
  const unit = readUnit();
  let root = '';
  let key = '';
  let machine: Machine | undefined;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>> | undefined;

  /** Runs a script as root. @throws with its output when it fails. */
  const asRoot = (script: string): string => {
    const { status, stdout, stderr } = inRoot(root, `set -e; ${script}`);
    assert.equal(status, 0, `${script}\n${stdout}\n${stderr}`);
    return stdout;
  };
  const running = (): Machine => machine ?? assert.fail('the machine did not start');

  before(async () => {
    directory = await temporaryDirectory();
    chmodSync(directory.path, 0o755);
    root = join(directory.path, 'root');
    makeBareDebian(root);
    cpSync(buildPackage(), join(root, archiveAt));
    run(['git', 'clone', '--quiet', '--bare', project, join(root, 'srv/pizarra.git')]);
  });
  after(async () => {
    await machine?.[Symbol.asyncDispose]();
    await directory?.[Symbol.asyncDispose]();
  });

  test('Debian has the packages that the document names, with its old npm', (t) => {
    asRoot(`export DEBIAN_FRONTEND=noninteractive\n${packages.replace(' libatomic1', '')}`);
    t.diagnostic(asRoot('npm --version; node --version').trim().replace('\n', ', '));
  });

  test('without libatomic, the error of the first command names the package to install', () => {
    const upToProgram = installLines.slice(0, 3).join('\n');
    assert.match(upToProgram, /^npm install --global .*\nln -s /m);
    // Use the strictest umask, because the document sets its own.
    asRoot(`umask 077\n${upToProgram}`);
    const { status, stderr } = inRoot(root, 'pizarra --version');
    assert.notEqual(status, 0);
    assert.match(stderr, /^pizarra: Node needs the system library libatomic.*libatomic1/m);
    asRoot('rm -r /opt/pizarra /usr/local/bin/pizarra');
  });

  test('root installs with the commands of the document, with any umask', () => {
    asRoot(`export DEBIAN_FRONTEND=noninteractive\n${packages}`);
    asRoot(`umask 077\n${installLines.join('\n')}`);
    asRoot(firstKey);
    assert.match(asRoot('head -2 /usr/local/share/man/man1/pizarra.1'), /^\.TH PIZARRA 1 /m);
  });

  test('the user of the service can run the command of the unit, and doctor finds no fault', async () => {
    asRoot(
      'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends curl nginx-light ssl-cert',
    );
    machine = await Machine.start(root);
    running().run(unit.directories);
    const created = running().run(firstKey);
    key = /pz_[0-9A-Za-z]+/.exec(created)?.[0] ?? assert.fail(created);
    const service = running().start(unit.execStart, unit.circumstances);
    await service.lineWith('"service ready"');
    // Without closes, keys of a plan or a feed there are warnings. A fault would be an exit code.
    running().run(doctor);
    assert.match(running().run('curl -sS http://127.0.0.1:8080/'), /<html/);
    const asked = `curl -sS -H 'Authorization: Bearer ${key}' http://127.0.0.1:8080/especies.txt`;
    assert.match(running().run(asked), /^GGAL$/m);
    const { code, output } = await service.stop();
    assert.equal(code, 0, output);
  });

  test('npm and Node leave no files in the data directory', () => {
    const names = readdirSync(join(root, 'var/lib/pizarra'));
    assert.ok(names.includes('pizarra.db'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('.')),
      [],
    );
  });

  test('doctor reports to another user which rights it lacks', () => {
    const { status, stdout, stderr } = running().attempt(
      'pizarra doctor --store /var/lib/pizarra',
      {
        user: 'nobody',
        group: 'nogroup',
      },
    );
    assert.equal(stderr, '');
    assert.equal(status, 1);
    assert.match(stdout, /may not read and write \/var\/lib\/pizarra/);
  });

  test('files that the user of the service cannot read are reported in one line', (t) => {
    const built = join(root, program, 'web/dist');
    chmodSync(built, 0o700);
    t.after(() => chmodSync(built, 0o755));
    const { status, stderr } = running().attempt(unit.execStart, unit.circumstances);
    assert.equal(status, 1);
    assert.match(stderr, /^pizarra: Cannot read .*\/web\/dist: .*\n$/);
    assert.ok(stderr.includes(`chmod -R go+rX ${program}`), stderr);
  });

  test('behind the documented nginx, a client gets a response over TLS', async (t) => {
    cpSync(join(project, 'deploy/proxy/nginx.conf'), join(root, 'etc/nginx/conf.d/pizarra.conf'));
    writeFileSync(join(root, 'etc/pizarra/pizarra.yaml'), 'behindProxy: 127.0.0.1\n');
    const service = running().start(unit.execStart, unit.circumstances);
    t.after(() => service.stop());
    await service.lineWith('"service ready"');
    running().run('rm -f /etc/nginx/sites-enabled/default && nginx');
    const name = 'cotizaciones.example.com';
    const asked = `curl -sS --insecure --retry 5 --retry-connrefused --connect-to ${name}:443:127.0.0.1:443 -H 'Authorization: Bearer ${key}' https://${name}/especies.txt`;
    assert.match(running().run(asked), /^GGAL$/m);
    running().run('nginx -s quit');
  });

  test('a clone installs with the commands of the document', () => {
    asRoot('DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git');
    asRoot('rm -r /opt/pizarra');
    asRoot(clone.replace('REPOSITORY', '/srv/pizarra.git'));
    assert.match(asRoot('pizarra --version'), /^\d+\.\d+\.\d+$/m);
  });

  test("the README's commands work with Debian's own npm", (t) => readmeStart(t, running()));
});

/** Starts the service as in the README, and sends the first request. */
async function readmeStart(t: TestContext, machine: Machine): Promise<void> {
  const [start = '', request = ''] = blocksOf('README.md', 'Pizarra');
  assert.equal(start, 'npm ci\nnpm start\n');
  // The packages are installed already, and the running machine has no network.
  const service = machine.start('npm start', { cwd: '/opt/pizarra' });
  t.after(() => service.stop());
  await service.lineWith('http://127.0.0.1:8080');
  const answer = machine.run(request, { cwd: '/opt/pizarra' });
  assert.match(answer, /"especie":"AL30"/);
}
