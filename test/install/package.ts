/**
 * The package, built as for a release and installed as users do: in an empty folder, for the whole machine,
 * by another user, and on a machine with a Node of its own.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { blocksIn, project } from '../docs/blocks.ts';
import { linksOfFolder } from '../support/project/dead-links.ts';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { until } from '../support/wait.ts';
import { attempt, buildPackage, run } from './commands.ts';

/** Maximum size of the archive, and of its files, in bytes. Node is not among them. */
const archiveMax = 8_000_000;
const filesMax = 20_000_000;

/** The user `nobody` of Linux systems. */
const nobody = 65_534;

/** A PATH without the folder of links of the project, which contains the pinned Node. */
const path = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');

/** Whether a file of the package is one that only developers use. */
function isForDevelopers(name: string): boolean {
  if (name.endsWith('.d.ts')) return false;
  return /(?:^|\/)(?:test|bench|scripts|\.[^/]*)(?:\/|$)|\.test\.|\.tsx?$/.test(name);
}

describe('the package', { concurrency: 1 }, () => {
  const cleanUp = new AsyncDisposableStack();
  let scratch = '';
  let archive = '';

  before(async () => {
    ({ path: scratch } = cleanUp.use(await temporaryDirectory()));
    chmodSync(scratch, 0o755);
    // The other user may lack the right to read the folder of the project.
    archive = join(scratch, 'pizarra.tgz');
    copyFileSync(buildPackage(), archive);
  });
  after(() => cleanUp.disposeAsync());

  /** Installs the archive with npm. */
  const install = (
    name: string,
    flags: readonly string[],
    { uid, env = {} }: { readonly uid?: number; readonly env?: NodeJS.ProcessEnv } = {},
  ): string => {
    const folder = join(scratch, name);
    mkdirSync(folder);
    const own = uid === undefined ? {} : { uid, gid: uid };
    if (uid !== undefined) chownSync(folder, uid, uid);
    run(['npm', 'install', '--no-fund', '--no-audit', ...flags, archive], {
      cwd: folder,
      env: { ...process.env, PATH: path, ...env },
      ...own,
    });
    return folder;
  };

  test('is small, and has neither tests nor sources nor install scripts', () => {
    const names = run(['tar', '-tzf', archive]).trim().split('\n');
    const own = names.filter((name) => !name.startsWith('package/node_modules/'));
    assert.deepEqual(own.filter(isForDevelopers), []);
    const needed = [
      'bin/pizarra',
      'dist/cli/main.js',
      'dist/cli/main.js.map',
      'web/dist/index.html',
    ];
    for (const name of [
      ...needed,
      'universe/instruments.csv',
      'contract/openapi.json',
      'man/pizarra.1',
      'LICENSE',
      'THIRD-PARTY-NOTICES.txt',
      'web/dist/THIRD-PARTY-NOTICES.txt',
    ]) {
      assert.ok(names.includes(`package/${name}`), name);
    }
    const unpacked = join(scratch, 'unpacked');
    mkdirSync(unpacked);
    run(['tar', '-xzf', archive, '-C', unpacked]);
    const sizes = run(['find', unpacked, '-type', 'f', '-printf', '%s\n']).trim().split('\n');
    const bytes = sizes.reduce((sum, size) => sum + Number(size), 0);
    assert.ok(statSync(archive).size < archiveMax, `${statSync(archive).size} bytes`);
    assert.ok(bytes < filesMax, `${bytes} bytes unpacked`);
    assert.deepEqual(linksOfFolder(join(unpacked, 'package')).dead, []);
    const map = join(unpacked, 'package/dist/cli/main.js.map');
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: unknown };
    assert.deepEqual(sources, ['../../src/cli/main.ts']);
    const manifest = JSON.parse(readFileSync(join(unpacked, 'package/package.json'), 'utf8')) as {
      readonly scripts?: unknown;
      readonly devDependencies?: unknown;
    };
    assert.equal(manifest.scripts, undefined);
    assert.equal(manifest.devDependencies, undefined);
  });

  test('works in an empty folder: key, quotes, page, two processes, import, stop', async () => {
    const folder = install('local', ['--ignore-scripts']);
    await useService(join(folder, 'node_modules/.bin/pizarra'), join(folder, 'data'));
  });

  test('gives programs startService, with types that compile without further packages', () => {
    const folder = join(scratch, 'local');
    const example = blocksIn('docs/embedding.md').find(({ language }) => language === 'ts');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'example.ts'), example?.text ?? assert.fail());
    const tsc = join(project, 'node_modules/.bin/tsc');
    const strict = ['--strict', '--target', 'esnext', '--module', 'nodenext', '--types', ''];
    run([process.execPath, tsc, ...strict, '--outDir', 'out', 'example.ts'], { cwd: folder });
    const output = run([process.execPath, 'out/example.js'], { cwd: folder });
    assert.match(output, /"especie":"GGAL"/);
  });

  test('works when root installs it for the machine, and another user runs it', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('only root can act as two users');
    const folder = install('global', ['--global', '--prefix', join(scratch, 'global')]);
    const page = readFileSync(join(folder, 'share/man/man1/pizarra.1'), 'utf8');
    assert.match(page, /pizarra keys create/);
    assert.equal(page.includes(project), false, 'the page names a path of this machine');
    const data = join(scratch, 'data-of-nobody');
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, nobody, nobody);
    await useService(join(folder, 'bin/pizarra'), data, nobody);
  });

  test('works when another user installs it in their home', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('only root can act as two users');
    const home = join(scratch, 'home');
    const folder = install('home', ['--global', '--prefix', home], {
      uid: nobody,
      env: { HOME: home, npm_config_cache: join(home, 'cache') },
    });
    const { status, stdout, stderr } = attempt([join(folder, 'bin/pizarra'), '--version'], {
      uid: nobody,
      gid: nobody,
      env: { PATH: path },
    });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test('without its Node, uses that of the machine, or says which version it needs', async () => {
    const folder = install('bare', ['--omit=optional']);
    const command = join(folder, 'node_modules/.bin/pizarra');
    const older = join(scratch, 'older');
    mkdirSync(older);
    writeFileSync(join(older, 'node'), '#!/bin/sh\necho v24.1.0\n', { mode: 0o755 });
    const refused = attempt([command, '--version'], { env: { PATH: `${older}:${path}` } });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /older\/node is Node 24\.1\.0\. Install Node 26 or newer/);
    const newer = join(scratch, 'newer');
    mkdirSync(newer);
    symlinkSync(process.execPath, join(newer, 'node'));
    await useService(command, join(folder, 'data'), undefined, `${newer}:${path}`);
  });
});

/** The first message of an agent to `pizarra mcp`. */
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
});

/** Uses an installed command as the README does. */
async function useService(
  command: string,
  data: string,
  uid?: number,
  searched = path,
): Promise<void> {
  const where = { env: { PATH: searched }, ...(uid === undefined ? {} : { uid, gid: uid }) };
  const flags = ['--store', data, '--demonstration', 'auto', '--workers', '2'];
  await using service = await startPizarra(flags, undefined, { command, ...where });
  const headers = { authorization: `Bearer ${await service.firstKey()}` };
  const get = async (target: string): Promise<string> => {
    const response = await fetch(service.url + target, { headers });
    assert.equal(response.status, 200, target);
    return response.text();
  };
  assert.match(await get('/cotizaciones?especie=GGAL'), /"especie":"GGAL"/);
  const page = await get('/');
  const [, script = ''] = /src="\.?(\/assets\/[^"]+\.js)"/.exec(page) ?? assert.fail(page);
  await get(script);
  await get('/openapi.json');
  const closes = join(data, 'closes.csv');
  writeFileSync(closes, 'ticker,date,close\nAL30,2024-01-31,1585.5\n', { mode: 0o644 });
  run([command, 'import', closes, '--store', data], where);
  const history = '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31';
  await until('the import is served', async () => (await get(history)).includes('1585.5'));
  const agent = ['sh', '-c', `echo '${initialize}' | "$0" mcp --url ${service.url}`, command];
  const env = { ...where.env, PIZARRA_KEY: await service.firstKey() };
  assert.match(run(agent, { ...where, env }), /"serverInfo":\{"name":"pizarra"/);
  assert.match(run([command, 'keys', 'list', '--store', data], where), /first/);
  assert.equal(await service.stop(), 0, service.stderr());
}
